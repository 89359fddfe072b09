"""What an alignment error has to beat before it means anything.

constant : predict the reference's mean; class_mean : predict the mean of the sample's class;
shuffled : the fitted map, applied to the wrong samples; within_label : the same, among samples of one class.
"""

from __future__ import annotations

import numpy as np

from nearid_core.components.shuffles import shuffled_within

_WORK = 4e7  # numbers touched by the shuffles of one error
_MOST, _FEWEST = 99, 19
_GATHERED = 4e6  # numbers held at once


def constant_error(target: np.ndarray, fit_mean: np.ndarray) -> float:
    """Mean distance of the held-out rows `target` (n, D) from the fit half's mean (D,)."""
    return float(np.linalg.norm(target - fit_mean, axis=1).mean())


def class_mean_error(target: np.ndarray, labels: np.ndarray, fit: np.ndarray, fit_labels: np.ndarray) -> float:
    """The same from the mean of each row's class in the fit half; the overall mean for a class that is not there."""
    classes, codes = np.unique(fit_labels, return_inverse=True)
    sums = np.zeros((len(classes), fit.shape[1]))
    np.add.at(sums, codes, fit)
    means = np.vstack([sums / np.bincount(codes)[:, None], fit.mean(axis=0)])
    position = np.searchsorted(classes, labels)
    known = classes[np.minimum(position, len(classes) - 1)] == labels
    return float(np.linalg.norm(target - means[np.where(known, position, len(classes))], axis=1).mean())


def n_shuffles(n: int, width: int) -> int:
    """How many shuffles an array of this shape gets: 99, fewer where that is slow."""
    return int(np.clip(_WORK / (n * width), _FEWEST, _MOST))


def shuffles(n: int, count: int, rng: np.random.Generator) -> np.ndarray:
    """(count, n) permutations of rows."""
    return rng.permuted(np.tile(np.arange(n), (count, 1)), axis=1)


def shuffles_within(labels: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """(count, n) permutations that keep every row within its class."""
    return np.stack([shuffled_within(labels, rng) for _ in range(count)])


def shuffled_errors(predicted: np.ndarray, target: np.ndarray, permutations: np.ndarray) -> np.ndarray:
    """Mean distance between the target and the prediction for another sample, one a permutation; (count,)."""
    at_once = max(1, int(_GATHERED / target.size))
    means = []
    for first in range(0, len(permutations), at_once):
        apart = predicted[permutations[first : first + at_once]] - target
        means.append(np.sqrt(np.einsum("knd,knd->kn", apart, apart)).mean(axis=1))
    return np.concatenate(means)


def p_value(observed: float, under_null: np.ndarray) -> float:
    """Share of shuffles with an error as small as the observed one, the observed one counted in."""
    return float((1 + (under_null <= observed).sum()) / (1 + len(under_null)))

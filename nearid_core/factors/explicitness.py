"""How well a linear classifier reads a factor from all components together."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sklearn.linear_model import LogisticRegression

HALVES = 2
# scikit-learn's C. How much of a penalty reads best on new rows depends on how many there are for each class.
STRENGTHS = (1.0, 100.0, 1e4)


def in_sample(latents: np.ndarray, codes: np.ndarray, *, discrete: bool = False) -> np.ndarray:
    """1 - log loss / log(classes) of each factor, on the rows that were fitted; (K,), nan of a constant factor.

    Class-balanced multinomial logistic regression without penalty, on standardised latents (one-hot when discrete), as
    published with InfoMEC (Hsu et al. 2023).
    """
    inputs = _inputs(latents, discrete)
    return np.array([_explained(_fitted(inputs, column, np.inf), inputs, column) for column in codes.T])


def held_out(latents: np.ndarray, codes: np.ndarray, *, discrete: bool = False, seed: int = 0) -> np.ndarray:
    """The same, read on rows that were not fitted; (K,). Two halves, each read by the other's classifier.

    The ridge penalty, out of `STRENGTHS`, is the one that reads best within the fitted half. Below 0 where the
    classifier is worse than knowing nothing; nan where fewer than two classes have four rows.
    """
    inputs = _inputs(latents, discrete)
    return np.array([_read_by_halves(inputs, column, seed) for column in codes.T])


def _read_by_halves(inputs: np.ndarray, column: np.ndarray, seed: int) -> float:
    kept = np.bincount(column)[column] >= HALVES * HALVES  # each half is halved again
    rows, classes = inputs[kept], np.unique(column[kept], return_inverse=True)[1]
    if len(classes) == 0 or classes.max() < 1:
        return float("nan")
    read = []
    for fit, out in _halves(rows, classes, seed):
        strength = _best_strength(rows[fit], classes[fit], seed)
        read.append(_explained(_fitted(rows[fit], classes[fit], strength), rows[out], classes[out]))
    return float(np.mean(read))


def _best_strength(rows: np.ndarray, classes: np.ndarray, seed: int) -> float:
    fit, out = _halves(rows, classes, seed)[0]
    read = [_explained(_fitted(rows[fit], classes[fit], s), rows[out], classes[out]) for s in STRENGTHS]
    return STRENGTHS[int(np.argmax(read))]


def _halves(rows: np.ndarray, classes: np.ndarray, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    from sklearn.model_selection import StratifiedKFold

    return list(StratifiedKFold(HALVES, shuffle=True, random_state=seed).split(rows, classes))


def _inputs(latents: np.ndarray, discrete: bool) -> np.ndarray:
    if discrete:
        from sklearn.preprocessing import OneHotEncoder

        return OneHotEncoder(sparse_output=False).fit_transform(latents)
    spread = latents.std(axis=0)
    return (latents - latents.mean(axis=0)) / np.where(spread > 0, spread, 1.0)


def _fitted(inputs: np.ndarray, classes: np.ndarray, strength: float) -> LogisticRegression | None:
    """None where there is one class only."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    if len(np.unique(classes)) < 2:
        return None
    model = LogisticRegression(C=strength, class_weight="balanced", tol=1e-4, max_iter=100)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the published code stops there, too
        return model.fit(inputs, classes)


def _explained(model: LogisticRegression | None, inputs: np.ndarray, classes: np.ndarray) -> float:
    if model is None:
        return float("nan")
    from sklearn.metrics import log_loss

    loss = log_loss(classes, model.predict_proba(inputs), labels=model.classes_)
    return float(1 - loss / np.log(len(model.classes_)))

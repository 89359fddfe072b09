"""What dependence is left between components: whether ICA's assumption is met.

Distance correlation is zero for independent components and for no others. The distance matrix of one component,
centred, is minus a covariance whose eigenvalues fall as 1 / k^2, so that a few eigenvectors stand for it: the distance
covariance of two components is the sum of squared products of theirs, and one matrix product gives all pairs at once.

References: Székely, Rizzo and Bakirov, Annals of Statistics 2007 (distance correlation); Westfall and Young 1993 (the
largest statistic of all pairs under one permutation, which corrects for their number).
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from nearid_core.components.sampling import drawn

ROWS = 1000
EIGENVECTORS = 8  # of each centred distance matrix; what they leave out is below one percent of a distance correlation


def dependence_table(components: np.ndarray, seed: int = 0) -> pd.DataFrame:
    """One row a pair of components: ``component``, ``other`` (component < other), ``dependence``, ``p_value``.

    components : (n, r), rows that nothing was fitted on; at most 1,000 of them are drawn with the seed.
    ``dependence`` is the distance correlation, 0 to 1, its square corrected for what independent columns of so few rows
    give: the mean over all permutations, known in closed form. ``p_value`` compares it with the largest of all pairs
    when the rows of one side are permuted: the chance that any pair of independent components reaches it.
    """
    rng = np.random.default_rng(seed)
    sample = components[drawn(np.arange(len(components)), ROWS, seed)]
    r = sample.shape[1]
    first, second = np.triu_indices(r, 1)
    if len(first) == 0 or len(sample) < 3:
        return _table(first, second, np.zeros(len(first)), np.ones(len(first)))
    features = _features(sample)
    scale = np.sqrt(np.maximum(np.diag(_covariances(features, features)), np.finfo(np.float32).tiny))
    scale = np.outer(scale, scale)[first, second]

    def statistics(order: np.ndarray) -> np.ndarray:
        return _covariances(features, features[order])[first, second] / scale

    observed = statistics(np.arange(len(sample)))
    null = np.array([statistics(rng.permutation(len(sample))).max() for _ in range(_permutations(r))])
    reached = len(null) - np.searchsorted(np.sort(null), observed, side="left")
    return _table(first, second, np.sqrt(np.clip(observed, 0.0, 1.0)), (1 + reached) / (1 + len(null)))


def strongest_dependence(table: pd.DataFrame, r: int) -> pd.DataFrame:
    """Of each of r components: ``dependence`` (largest with any other), ``dependent_on`` (which) and ``dependence_p``.

    table : what `dependence_table` returns. A component alone depends on nothing: 0, -1 and 1.
    """
    strength, p = np.full((r, r), -1.0), np.ones((r, r))
    pair = table["component"].to_numpy(), table["other"].to_numpy()
    for of, values in ((strength, table["dependence"]), (p, table["p_value"])):
        of[pair] = of.T[pair] = values
    if r == 1:
        return pd.DataFrame({"dependence": [0.0], "dependent_on": [-1], "dependence_p": [1.0]})
    rows, most = np.arange(r), strength.argmax(axis=1)
    return pd.DataFrame({"dependence": strength[rows, most], "dependent_on": most, "dependence_p": p[rows, most]})


def _permutations(r: int) -> int:
    """Enough for a p-value of 0.005, or of 0.025 where a permutation costs more than a second."""
    return 199 if r <= 128 else 39


def _features(sample: np.ndarray) -> np.ndarray:
    """(n, r, k) float32: k eigenvectors of each column's centred distances, scaled by root eigenvalues."""
    from scipy.sparse.linalg import eigsh

    n = len(sample)
    start = np.random.default_rng(0).standard_normal(n)
    k = min(EIGENVECTORS, n - 2)
    features = np.empty((n, sample.shape[1], k), dtype=np.float32)
    for column in range(sample.shape[1]):
        eigenvalues, vectors = eigsh(_centred_distances(sample[:, column]), k=k, which="LA", v0=start, tol=1e-4)
        features[:, column] = vectors * np.sqrt(np.maximum(eigenvalues, 0.0))
    return features


def _centred_distances(values: np.ndarray) -> np.ndarray:
    """Minus the distances of (n,) numbers, rows and columns of mean zero; (n, n), positive semidefinite."""
    distances = np.abs(values[:, None] - values)
    mean = distances.mean(axis=0)
    return mean + mean[:, None] - distances - mean.mean()


def _covariances(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Distance covariances of every column of a with every one of b, less their mean over permutations; (r, r)."""
    n, r, k = a.shape
    products = a.reshape(n, r * k).T @ b.reshape(n, r * k)
    sums = np.square(products, out=products).reshape(r, k, r, k).sum(axis=(1, 3), dtype=np.float64)
    traces_a, traces_b = (np.square(of).sum(axis=(0, 2), dtype=np.float64) for of in (a, b))
    return sums - np.outer(traces_a, traces_b) / (n - 1)


def _table(first: np.ndarray, second: np.ndarray, dependence: np.ndarray, p: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame({"component": first, "other": second, "dependence": dependence, "p_value": p})

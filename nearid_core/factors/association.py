"""How strongly each component goes with each factor, by correlation."""

from __future__ import annotations

import numpy as np

from nearid_core.components import correlations
from nearid_core.factors.known_factors import FactorTable


def absolute_correlations(latents: np.ndarray, table: FactorTable, *, ranks: bool = False) -> np.ndarray:
    """|Pearson|, or |Spearman|, of every latent with every factor; (factors, latents), 0 where one is constant.

    For a factor without an order it is the correlation ratio eta: the most that any numbering of its classes reaches.
    """
    from scipy.stats import rankdata

    values = rankdata(latents, axis=0) if ranks else latents
    found = np.zeros((len(table.names), latents.shape[1]))
    spread = values.std(axis=0)
    varies = spread > 1e-12 * np.maximum(1.0, np.abs(values).max(axis=0))
    for row in np.flatnonzero(table.varying).tolist():
        found[row, varies] = _with(values[:, varies], table, row, ranks)
    return found


def _with(values: np.ndarray, table: FactorTable, row: int, ranks: bool) -> np.ndarray:
    from scipy.stats import rankdata

    if not table.ordered[row]:
        return _correlation_ratio(values, table.codes[:, row])
    factor = table.values[:, row]
    factor = rankdata(factor) if ranks else factor
    return np.minimum(np.abs(correlations(factor[:, None], values)[0]), 1.0)


def _correlation_ratio(values: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """sqrt(between-class / total sum of squares) of each column."""
    centred = values - values.mean(axis=0)
    members = np.bincount(codes)
    sums = np.stack([np.bincount(codes, column, len(members)) for column in centred.T], axis=1)
    between = (sums**2 / np.maximum(members, 1)[:, None]).sum(axis=0)
    return np.sqrt(np.minimum(between / (centred**2).sum(axis=0), 1.0))

"""How much of a feature's variance lies between batches, between labels, and in what the two share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nearid_core.batches.columns import MISSING


@dataclass(frozen=True, eq=False)
class OneWay:
    """A one-way analysis of variance of every column.

    between, total : (D,) sums of squares about the mean of the rows that have a group.
    n, groups : how many rows and groups.
    """

    between: np.ndarray
    total: np.ndarray
    n: int
    groups: int

    @property
    def eta2(self) -> np.ndarray:
        """(D,) between over total; 0 for a constant column. Chance gives (groups - 1) / (n - 1)."""
        return np.divide(self.between, self.total, out=np.zeros_like(self.total), where=self.total > 0)

    @property
    def omega2(self) -> np.ndarray:
        """(D,) eta^2 less what chance gives (Hays 1963); near 0, either side of it, where groups mean nothing."""
        within = (self.total - self.between) / max(1, self.n - self.groups)
        excess = self.between - (self.groups - 1) * within
        return np.divide(excess, self.total + within, out=np.zeros_like(excess), where=self.total > 0)

    @property
    def chance(self) -> float:
        """The expected eta^2 of groups drawn at random."""
        return min(1.0, (self.groups - 1) / max(1, self.n - 1))


def one_way(values: np.ndarray, codes: np.ndarray) -> OneWay:
    """values : (N, D); codes : (N,) group of each row; rows with a negative code are left out."""
    if (codes == MISSING).any():
        values, codes = values[codes != MISSING], codes[codes != MISSING]
    centred = values - values.mean(axis=0)
    sums, sizes = group_sums(centred, codes)
    between = (sums**2 / sizes[:, None]).sum(axis=0)
    return OneWay(between, np.einsum("ij,ij->j", centred, centred), len(values), len(sizes))


def group_sums(values: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sums of rows by group, (G, D), and group sizes, (G,), in the order of the codes that occur."""
    order = np.argsort(codes, kind="stable")
    _, starts, sizes = np.unique(codes[order], return_index=True, return_counts=True)
    return np.add.reduceat(values[order], starts, axis=0), sizes


def shared_part(values: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Variance that either factor explains alone and both explain together only once; (D,), of the total.

    eta^2_a + eta^2_b - R^2 of the additive two-way model: 0 in a balanced design, both in a nested one; negative where
    one factor hides the other. a, b : (N,) codes, rows where either is missing are left out.
    """
    known = (a != MISSING) & (b != MISSING)
    values, a, b = values[known], a[known], b[known]
    first, second = one_way(values, a), one_way(values, b)
    added = _explained_after(values - values.mean(axis=0), a, b)
    both = np.divide(first.between + added, first.total, out=np.zeros_like(added), where=first.total > 0)
    return first.eta2 + second.eta2 - both


def _explained_after(centred: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Sum of squares that b explains of what is left after a; (D,).

    The normal equations of an additive two-way layout, with a eliminated, need the crosstab only.
    """
    a, b = (np.unique(codes, return_inverse=True)[1] for codes in (a, b))
    crosstab = np.zeros((a.max() + 1, b.max() + 1))
    np.add.at(crosstab, (a, b), 1.0)
    sums_a, sizes_a = group_sums(centred, a)
    sums_b, sizes_b = group_sums(centred, b)
    share = crosstab / sizes_a[:, None]
    reduced = np.diag(sizes_b.astype(float)) - crosstab.T @ share
    left = sums_b - share.T @ sums_a
    effects = np.linalg.pinv(reduced, rcond=1e-10, hermitian=True) @ left
    return np.einsum("gj,gj->j", effects, left)


def permutation_null(
    values: np.ndarray, codes: np.ndarray, strata: np.ndarray | None, times: int, seed: int
) -> np.ndarray:
    """eta^2 under permuted groups, (times, D).

    strata : (N,) codes within which groups are permuted (labels within their batch), None for all rows.
    """
    rng = np.random.default_rng(seed)
    known = codes != MISSING
    values, codes = values[known], codes[known]
    strata = np.zeros(len(codes), int) if strata is None else strata[known]
    by_stratum = np.argsort(strata, kind="stable")
    draws = []
    for _ in range(times):
        shuffled = np.lexsort((rng.random(len(codes)), strata))
        permuted = np.empty_like(codes)
        permuted[by_stratum] = codes[shuffled]
        draws.append(one_way(values, permuted).eta2)
    return np.array(draws)

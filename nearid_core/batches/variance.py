"""How much of a feature's variance lies between batches, between labels, and in what the two share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nearid_core.batches.columns import MISSING
from nearid_core.components.shuffles import shuffled_within


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
    values, codes = _known(values, codes)
    centred = values - values.mean(axis=0)
    sums, sizes = group_sums(centred, codes)
    between = (sums**2 / sizes[:, None]).sum(axis=0)
    return OneWay(between, np.einsum("ij,ij->j", centred, centred), len(values), len(sizes))


def one_way_without(values: np.ndarray, codes: np.ndarray, blocks: np.ndarray) -> list[OneWay]:
    """`one_way` with one block of rows left out at a time, in one pass over the rows.

    blocks : (N,) int from 0. Sums, sizes and squares of a block are taken off those of all rows.
    """
    values, blocks, codes = *_known(values, codes, blocks), codes[codes != MISSING]
    centred = values - values.mean(axis=0)
    codes = np.unique(codes, return_inverse=True)[1]
    n_groups, n_blocks = codes.max() + 1, blocks.max() + 1
    indicator = _indicator(codes + n_groups * blocks, n_groups * n_blocks)
    sums = (indicator @ centred).reshape(n_blocks, n_groups, -1)
    sizes = np.bincount(codes + n_groups * blocks, minlength=n_groups * n_blocks).reshape(n_blocks, n_groups)
    squares = _indicator(blocks, n_blocks) @ centred**2
    wholes = sums.sum(axis=0), sizes.sum(axis=0), squares.sum(axis=0)
    return [
        _of_sums(*(whole - part[block] for whole, part in zip(wholes, (sums, sizes, squares), strict=True)))
        for block in range(n_blocks)
    ]


def _of_sums(sums: np.ndarray, sizes: np.ndarray, squares: np.ndarray) -> OneWay:
    """From sums (G, D), sizes (G,) and summed squares (D,) of rows that need not be centred."""
    sums, sizes = sums[sizes > 0], sizes[sizes > 0]
    n = int(sizes.sum())
    correction = sums.sum(axis=0) ** 2 / n
    return OneWay((sums**2 / sizes[:, None]).sum(axis=0) - correction, squares - correction, n, len(sizes))


def group_sums(values: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sums of rows by group, (G, D), and group sizes, (G,), in the order of the codes that occur."""
    _, codes, sizes = np.unique(codes, return_inverse=True, return_counts=True)
    return _indicator(codes, len(sizes)) @ values, sizes


def _indicator(codes: np.ndarray, groups: int) -> Any:
    """(groups, N) sparse, 1 where a row is of a group."""
    from scipy.sparse import csr_array

    return csr_array((np.ones(len(codes)), (codes, np.arange(len(codes)))), shape=(groups, len(codes)))


def _known(values: np.ndarray, codes: np.ndarray, others: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The rows that have a group, beside their codes or what else is given of each row."""
    beside = codes if others is None else others
    known = codes != MISSING
    return (values, beside) if known.all() else (values[known], beside[known])


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
    codes = np.unique(codes[known], return_inverse=True)[1]
    centred = values[known] - values[known].mean(axis=0)
    total = np.einsum("ij,ij->j", centred, centred)
    strata = np.zeros(len(codes), int) if strata is None else strata[known]
    sizes, draws = np.bincount(codes), []
    for _ in range(times):
        sums = _indicator(codes[shuffled_within(strata, rng)], len(sizes)) @ centred
        draws.append(OneWay((sums**2 / sizes[:, None]).sum(axis=0), total, len(codes), len(sizes)).eta2)
    return np.array(draws)

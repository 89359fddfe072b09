"""The largest distance between two rows: the unit of every alignment error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

_STARTS = 8
_BLOCK = 1024  # rows compared at a time
_BUDGET = 2e10  # multiplications spent on proving the diameter


@dataclass(frozen=True)
class Diameter:
    """value : the largest distance found; exact : False when the budget ended first and it is only a lower bound."""

    value: float
    exact: bool


def diameter(values: np.ndarray, budget: float = _BUDGET) -> Diameter:
    """Largest Euclidean distance between two rows of `values` (n, D).

    Farthest-point iteration from several starts gives a lower bound, usually the diameter itself. The proof goes
    through rows sorted by their distance r from the mean: a pair can only be farther apart than the bound when its r
    sum to more. A lower bound overstates the errors that are measured in it.
    """
    centred = np.asarray(values, dtype=np.float64) - np.mean(values, axis=0, dtype=np.float64)
    radius = np.sqrt((centred**2).sum(axis=1))
    order = np.argsort(-radius, kind="stable")
    rows, radius = centred[order], radius[order]
    best = max(_farthest_from(rows, start) for start in np.linspace(0, len(rows) - 1, _STARTS).astype(int))
    spent = 0.0
    for first in range(0, len(rows), _BLOCK):
        partners = int(np.searchsorted(-radius, radius[first] - best, side="left"))  # those with r > bound - r_first
        if partners <= first:
            return Diameter(best, True)
        block = rows[first : min(first + _BLOCK, partners)]
        spent += float(len(block)) * (partners - first) * rows.shape[1]
        if spent > budget:
            return Diameter(best, False)
        best = max(best, _largest_between(block, rows[first:partners], best))
    return Diameter(best, True)


def _farthest_from(rows: np.ndarray, start: int) -> float:
    """Distance found by going to the farthest row until that no longer helps."""
    best, here = 0.0, start
    while True:
        distance = np.sqrt(((rows - rows[here]) ** 2).sum(axis=1))
        there = int(distance.argmax())
        if distance[there] <= best:
            return best
        best, here = float(distance[there]), there


def _largest_between(block: np.ndarray, partners: np.ndarray, best: float) -> float:
    """Largest distance between a row of `block` and one of `partners`, or `best` when none is larger."""
    squared = (block**2).sum(axis=1)[:, None] + (partners**2).sum(axis=1) - 2.0 * block @ partners.T
    row, column = np.unravel_index(int(squared.argmax()), squared.shape)
    # the expansion cancels digits: the distance itself is taken from the difference
    return max(best, float(np.sqrt(((block[row] - partners[column]) ** 2).sum())))

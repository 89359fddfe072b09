"""How well a space sets batch apart from biology, as one number with an interval, and by how much ICA is ahead."""

from __future__ import annotations

import numpy as np
import pandas as pd

from nearid_core.batches.removal import area, curve_of, removal_curve
from nearid_core.batches.variance import one_way_without

BLOCKS = 20
ADVANTAGES = ["versus", "difference", "low", "high"]
WHOLE = -1  # the number of no block: nothing is left out


def areas(
    values: np.ndarray, batch: np.ndarray, label: np.ndarray, order: np.ndarray, units: np.ndarray
) -> pd.DataFrame:
    """Area under biology left against batch left, on all held-out rows and with one of 20 blocks of them left out.

    values : (n, d) held-out rows. units : (n,), equal for rows that are not independent and stay together.

    Returns ``block`` (-1 where nothing is left out) and ``area``. For a jackknife: a bootstrap would inflate the eta^2
    of small groups.
    """
    dealt = blocks(units)
    if dealt.max() < 2:  # fewer than three units: nothing to leave out
        return pd.DataFrame({"block": [WHOLE], "area": [area(removal_curve(values, batch, label, order))]})
    pairs = zip(one_way_without(values, batch, dealt), one_way_without(values, label, dealt), strict=True)
    found = [area(removal_curve(values, batch, label, order))]
    found += [area(curve_of(of_batch, of_label, order)) for of_batch, of_label in pairs]
    return pd.DataFrame({"block": np.arange(WHOLE, len(found) - 1), "area": found})


def blocks(units: np.ndarray, seed: int = 0) -> np.ndarray:
    """(n,) int: units dealt at random into at most 20 blocks of equal number."""
    found, codes = np.unique(units, return_inverse=True)
    dealt = np.random.default_rng(seed).permutation(len(found)) % min(BLOCKS, len(found))
    return dealt[codes]


def jackknife_interval(by_block: pd.Series) -> tuple[float, float, float]:
    """The figure of all rows with its 95% interval; NaN limits for fewer than 3 blocks.

    by_block : values by ``block``, as `areas` gives them.
    """
    from scipy.stats import t

    whole, without = float(by_block[WHOLE]), by_block.drop(WHOLE).to_numpy()
    if len(without) < 3:
        return whole, np.nan, np.nan
    half_width = float(t.ppf(0.975, len(without) - 1) * np.sqrt((len(without) - 1) * without.var()))
    return whole, whole - half_width, whole + half_width


def advantages(found: pd.DataFrame, space: str = "pca_ica") -> pd.DataFrame:
    """By how much the area of a space exceeds that of each other one: ``versus``, ``difference``, ``low``, ``high``.

    found : ``space``, ``draw``, ``block``, ``area``. Pairs share their blocks; random draws are averaged first.
    """
    if found.empty:
        return pd.DataFrame(columns=ADVANTAGES)
    by_space = found.pivot_table(index="block", columns="space", values="area", aggfunc="mean")
    others = [name for name in by_space if name != space] if space in by_space else []
    rows = [(name, *jackknife_interval(by_space[space] - by_space[name])) for name in others]
    return pd.DataFrame(rows, columns=ADVANTAGES)

"""Selective removal: drop the components that carry the batch, and read what is left of batch and of biology."""

from __future__ import annotations

import numpy as np
import pandas as pd

from nearid_core.batches.variance import OneWay, one_way

QUARTER = 0.25


def choosing(values: np.ndarray, batch: np.ndarray, control: np.ndarray | None) -> OneWay:
    """Batches of the controls, or of all rows where the controls of two batches are not at hand.

    values : (n, d) rows to choose on, which are not those that the outcome is read on.
    """
    if control is not None and len(np.unique(batch[control])) >= 2:
        return one_way(values[control], batch[control])
    return one_way(values, batch)


def most_first(eta2: np.ndarray) -> np.ndarray:
    """The order in which components go: those with most batch first."""
    return np.argsort(-eta2, kind="stable")


def removal_curve(values: np.ndarray, batch: np.ndarray, label: np.ndarray, order: np.ndarray) -> pd.DataFrame:
    """What is left as components are dropped in this order; one row a number dropped, 0 ... d - 1.

    values : (n, d) held-out rows; batch, label : (n,) codes.

    ``batch_left``, ``bio_left`` : between-group sum of squares of the kept components, as a share of all components'.
    ``batch_r2``, ``bio_r2`` : the same over the kept components' total sum of squares (the one-way MANOVA trace).
    ``batch_chance``, ``bio_chance`` : the r2 that groups drawn at random give.
    """
    return curve_of(one_way(values, batch), one_way(values, label), order)


def curve_of(batch: OneWay, bio: OneWay, order: np.ndarray) -> pd.DataFrame:
    """`removal_curve` from the two analyses of variance."""
    parts = {"batch": batch, "bio": bio}
    columns: dict[str, np.ndarray | float] = {"dropped": np.arange(len(order))}
    for name, part in parts.items():
        between, total = kept_sums(part.between[order]), kept_sums(part.total[order])
        columns[f"{name}_left"] = between / between[0] if between[0] > 0 else np.full(len(order), np.nan)
        columns[f"{name}_r2"] = np.divide(between, total, out=np.zeros_like(between), where=total > 0)
        columns[f"{name}_chance"] = part.chance
    return pd.DataFrame(columns)


def kept_sums(ordered: np.ndarray) -> np.ndarray:
    """Sums over the entries that stay when the first 0, 1, ... are dropped."""
    return np.cumsum(ordered[::-1])[::-1]


def left_beside(curves: pd.DataFrame, dropped: int) -> pd.DataFrame:
    """``batch_left`` and ``bio_left`` of every space with so many components dropped, mean over draws; by space.

    curves : of a `BatchReport`; empty where there were no labels, and then so is the answer.
    """
    if curves.empty:
        return pd.DataFrame(columns=["batch_left", "bio_left"])
    return curves[curves["dropped"] == dropped].groupby("space")[["batch_left", "bio_left"]].mean()


def area(curve: pd.DataFrame) -> float:
    """Area under biology left against batch left, from nothing left to everything: .5 for a rotation that mixes both,
    1 where all of the batch goes before any biology."""
    x = np.append(curve["batch_left"].to_numpy(), 0.0)
    y = np.append(curve["bio_left"].to_numpy(), 0.0)
    return float(np.trapezoid(y[::-1], x[::-1]))


def ratio_at_quarter(curve: pd.DataFrame) -> float:
    """(biology left) / (batch left) with a quarter of the components dropped."""
    row = curve.iloc[min(len(curve) - 1, round(QUARTER * len(curve)))]
    return float(row["bio_left"] / row["batch_left"]) if row["batch_left"] > 0 else np.inf

"""One sentence for a comparison."""

from __future__ import annotations

import math

import pandas as pd

HOLDS_R2 = 0.75  # held-out variance explained: an rms error of half of what predicting the mean gives
HOLDS_OF_LINEAR = 0.95  # of the variance that the best linear map explains

_TIGHTEST_FIRST = ("identity", "permutation", "signed_permutation", "ica", "rigid", "similarity", "linear")


def verdict(summary: pd.DataFrame, components: pd.DataFrame) -> str:
    """The tightest group that holds in latent space, epsilon_95 with its interval, what returns, and the controls.

    summary : `Comparison.summary`; components : `Comparison.components`.
    """
    latent = summary[summary["space"] == "latent"].set_index("group")
    held = tightest_group(latent)
    loosest = next(group for group in reversed(_TIGHTEST_FIRST) if group in latent.index)
    row = _row(latent, held or loosest)
    within = f"95% of samples agree within {_within(row)} latent diameters (mean error {number(row['mean'])})"
    opening = f"{spoken(held)}: {within}" if held else f"no group holds: even under {spoken(loosest)}, {within}"
    return f"{opening}; {_returning(components)}; {_controls(row)}."


def tightest_group(latent: pd.DataFrame) -> str | None:
    """The tightest group that holds, or None.

    A group holds when it explains at least 75% of the held-out variance, at least 95% of what the best linear map
    explains, and its mean error is below that of predicting each sample's class mean (where there are classes).

    latent : rows of one space, indexed by group, with ``mean``, ``r2`` and ``class_mean``.
    """
    loosest = latent["r2"].max()
    for group in (group for group in _TIGHTEST_FIRST if group in latent.index):
        row = _row(latent, group)
        beats_classes = math.isnan(row["class_mean"]) or row["mean"] < row["class_mean"]
        if row["r2"] >= HOLDS_R2 and row["r2"] >= HOLDS_OF_LINEAR * loosest and beats_classes:
            return group
    return None


def spoken(group: str) -> str:
    """A group's name in a sentence."""
    return "signed permutation of independent components" if group == "ica" else group.replace("_", " ")


def number(value: float) -> str:
    """Two digits after the point, as the field prints errors: ``.12``; small ones in full."""
    if math.isnan(value):
        return "unknown"
    if abs(value) < 0.005:
        return f"{value:.0e}" if value else "0"
    return f"{value:.2f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.2f}"


def _row(latent: pd.DataFrame, group: str) -> dict[str, float]:
    row = latent.drop(columns=["space"], errors="ignore").loc[[group]].iloc[0]
    return {str(name): float(value) for name, value in row.items()}


def _within(row: dict[str, float]) -> str:
    low, high = row["epsilon_95_low"], row["epsilon_95_high"]
    if math.isnan(low) or math.isnan(high):
        return f"{number(row['epsilon_95'])} (too few samples for an interval)"
    return f"{number(row['epsilon_95'])} [{number(low)}, {number(high)}]"


def _returning(components: pd.DataFrame) -> str:
    pairs = components.groupby(["reference", "other"])
    returned, total = pairs["returns"].sum().mean(), pairs.size().max()
    identified = (components["returns"] & components["identified"]).groupby(
        [components["reference"], components["other"]]
    )
    known = identified.sum().mean()
    average = " on average" if pairs.ngroups > 2 else ""
    doubt = "" if known == returned else f", {_count(known)} of them identified"
    return f"{_count(returned)} of {total} components return{average}{doubt}"


def _count(value: float) -> str:
    return f"{value:.0f}" if value == round(value) else f"{value:.1f}"


def _controls(row: dict[str, float]) -> str:
    constant = f"predicting the mean gives {number(row['constant'])}"
    return constant if math.isnan(row["class_mean"]) else f"{constant}, the class mean {number(row['class_mean'])}"

"""What a factor report comes to, in a sentence or two."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

FOUND = 0.9  # MCC from which factors count as found
_TITLES = {"raw": "raw axes", "pca": "PCA", "random": "random rotations"}


def verdict(summary: pd.DataFrame, settings: Mapping[str, Any], diagnostics: pd.DataFrame) -> str:
    """Whether ICA finds the factors: by MCC and InfoM together, since collapse flatters InfoM and noise does, too.

    A gain is claimed when both lie above those of every other space and of every single random rotation, and components
    are identified: of Gaussian factors ICA's axes are an accident of the sample, which can be a lucky one.
    """
    whole = summary[summary["subset"] == "all"].set_index(["space", "score"])
    if not {("ica", "mcc"), ("ica", "infom")} <= set(whole.index):
        return "Not judged: that takes the space ica and the scores infomec and mcc."
    figures = whole[["value", "low", "high", "null_mean", "null_q95", "n_active"]].astype(float)
    mcc, infom = (_of(figures, score) for score in ("mcc", "infom"))
    ica = mcc["ica"]
    tail = (
        f"MCC {_told(mcc)}; InfoM {_told(infom)}. {_count(ica['n_active'], 'active direction')} for "
        f"{_count(len(settings['factors']), 'factor')}; {int(diagnostics['identified'].sum())} of "
        f"{_count(len(diagnostics), 'component')} identified."
    )
    if ica["value"] <= ica["null_q95"]:
        return f"No component goes with a factor beyond chance: {tail}"
    if 2 * diagnostics["identified"].sum() < len(settings["factors"]):
        return f"ICA does not find the factors: its own axes are hardly identified, other samples give others. {tail}"
    ahead = _ahead(mcc) and (_ahead(infom) or math.isnan(infom["ica"]["value"]))
    if ahead and ica["value"] >= FOUND:
        return f"ICA finds the factors: {tail}"
    if ahead:
        return f"ICA comes closer to the factors than the other axes, but does not find them all: {tail}"
    if ica["value"] >= FOUND:
        return f"The factors are found, but ICA is not what finds them: {tail}"
    return f"ICA does not find the factors: {tail}"


Figures = Mapping[str, Mapping[str, float]]
"""Of one score: space to its row of the summary."""


def _of(figures: pd.DataFrame, score: str) -> Figures:
    rows = figures.xs(score, level="score")
    return {str(space): dict(rows.loc[space]) for space in rows.index}


def _ahead(score: Figures) -> bool:
    """Of everything else: above its value, and above the largest of the random rotations."""
    best = [row["high" if space == "random" else "value"] for space, row in score.items() if space != "ica"]
    return all(score["ica"]["value"] > other or math.isnan(other) for other in best)


def _told(score: Figures) -> str:
    ica = score["ica"]
    if math.isnan(ica["value"]):
        return "undefined"
    interval = "" if math.isnan(ica["low"]) else f" [{ica['low']:.2f}, {ica['high']:.2f}]"
    others = [f"{_TITLES[space]} {score[space]['value']:.2f}" for space in _TITLES if space in score]
    null = [] if math.isnan(ica["null_mean"]) else [f"unrelated factors {ica['null_mean']:.2f}"]
    against = f" ({', '.join(others + null)})" if others or null else ""
    return f"{ica['value']:.2f}{interval}{against}"


def _count(number: float, noun: str) -> str:
    return f"{number:.0f} {noun}{'' if number == 1 else 's'}"

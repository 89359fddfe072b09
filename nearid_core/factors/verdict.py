"""What a factor report comes to, in a sentence or two."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pandas as pd

FOUND = 0.9  # MCC from which factors count as found

OUTCOMES = {
    "found": "ICA finds the factors",
    "closer": "ICA comes closer to the factors than the other axes, but does not find them all",
    "found anyway": "The factors are found, but ICA is not what finds them",
    "not found": "ICA does not find the factors",
    "unidentified": "ICA does not find the factors: its own axes are hardly identified, other samples give others",
    "chance": "No component goes with a factor beyond chance",
    "not judged": "Not judged: that takes the space ica and the scores infomec and mcc",
}
_TITLES = {"raw": "raw axes", "pca": "PCA", "random": "random rotations"}

Figures = Mapping[str, Mapping[str, float]]
"""Of one score: space to its row of the summary."""


def outcome(summary: pd.DataFrame, n_factors: int, n_identified: int) -> str:
    """A key of OUTCOMES: whether ICA finds the factors of one run.

    By MCC and InfoM together, since collapse flatters InfoM, and so does noise. A gain is claimed when both lie above
    those of every other space and of every single random rotation, and components are identified: of Gaussian factors
    ICA's axes are an accident of the sample, which can be a lucky one.
    """
    mcc, infom = figures_of(summary, "mcc"), figures_of(summary, "infom")
    if "ica" not in mcc or "ica" not in infom:
        return "not judged"
    ica = mcc["ica"]
    if ica["value"] <= ica["null_q95"]:
        return "chance"
    if 2 * n_identified < n_factors:
        return "unidentified"
    ahead = _ahead(mcc) and (_ahead(infom) or math.isnan(infom["ica"]["value"]))
    if ica["value"] >= FOUND:
        return "found" if ahead else "found anyway"
    return "closer" if ahead else "not found"


def told(summary: pd.DataFrame) -> str:
    """MCC and InfoM with ICA, against everything else; empty where they were not read."""
    read = [(title, figures_of(summary, score)) for title, score in (("MCC", "mcc"), ("InfoM", "infom"))]
    return "; ".join(f"{title} {_one(score)}" for title, score in read if "ica" in score)


def count(number: float, noun: str) -> str:
    return f"{number:.0f} {noun}{'' if number == 1 else 's'}"


def figures_of(summary: pd.DataFrame, score: str) -> Figures:
    rows = summary[(summary["subset"] == "all") & (summary["score"] == score)].set_index("space")
    numbers = rows[["value", "low", "high", "null_mean", "null_q95", "n_active"]].astype(float)
    return {str(space): dict(numbers.loc[space]) for space in numbers.index}


def _ahead(score: Figures) -> bool:
    """Of everything else: above its value, and above the largest of the random rotations."""
    best = [row["high" if space == "random" else "value"] for space, row in score.items() if space != "ica"]
    return all(score["ica"]["value"] > other or math.isnan(other) for other in best)


def _one(score: Figures) -> str:
    ica = score["ica"]
    if math.isnan(ica["value"]):
        return "undefined"
    interval = "" if math.isnan(ica["low"]) else f" [{ica['low']:.2f}, {ica['high']:.2f}]"
    others = [f"{_TITLES[space]} {score[space]['value']:.2f}" for space in _TITLES if space in score]
    null = [] if math.isnan(ica["null_mean"]) else [f"unrelated factors {ica['null_mean']:.2f}"]
    against = f" ({', '.join(others + null)})" if others or null else ""
    return f"{ica['value']:.2f}{interval}{against}"

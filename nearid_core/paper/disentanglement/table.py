"""Scores of all methods beside what was published."""

from __future__ import annotations

import pandas as pd

from nearid_core.factors.scores import SCORES
from nearid_core.paper.disentanglement.methods import METHODS, Method
from nearid_core.paper.disentanglement.reading import QUANTITIES

SHOWN = ("infom", "infoe_heldout", "infoc", "mcc")


def reproduction_table(scores: pd.DataFrame) -> pd.DataFrame:
    """One row a (law, method, quantity): ``published``, ``published_shapes3d``, ``ours``, ``low``, ``high``, ``mcc``,
    ``n_active``, ``n_identified``, ``n_factors``, ``n_seeds``, ``setting``, ``cpu_seconds``.

    n_identified : independent components that other samples would give again; nan for other coordinates.
    ours, mcc and the first two counts are means over seeds, and draws of a random rotation; low and high the extremes
    over both.

    scores : as of `Work.scores`.
    """
    methods = {method.name: method for method in METHODS}
    rows = []
    for (law, name), part in scores.groupby(["law", "method"], sort=False):
        method = methods[str(name)]
        shared = {
            "mcc": _mean(part, "mcc"),
            "n_active": _mean(part, "n_active"),
            "n_identified": _mean(part, "n_identified"),
            "n_factors": part["n_factors"].iloc[0],
            "n_seeds": part["seed"].nunique(),
            "setting": part["setting"].iloc[0],
            "cpu_seconds": part["cpu_seconds"].iloc[0],
        }
        for quantity in QUANTITIES:
            ours = {"ours": _mean(part, quantity), "low": part[quantity].min(), "high": part[quantity].max()}
            published = _published(method if law == scores["law"].iloc[0] else None, quantity)
            where = {"law": law, "method": method.title, "quantity": SCORES[quantity].title}
            rows.append(where | published | ours | shared)
    return pd.DataFrame(rows)


def summary_of(table: pd.DataFrame) -> pd.DataFrame:
    """One row a (law, method): each score as text, ``ours [low, high]``, with the published InfoM."""
    rows = []
    for (law, method), part in table.groupby(["law", "method"], sort=False):
        by_name = {row["quantity"]: row for _, row in part.iterrows()}
        infom, first = by_name["InfoM"], part.iloc[0]
        published = {"published InfoM": infom["published"], "Shapes3D": infom["published_shapes3d"]}
        read = {SCORES[name].title: _told(by_name[SCORES[name].title]) for name in SHOWN}
        rest = {"active": first["n_active"], "setting": first["setting"], "CPU s": round(first["cpu_seconds"])}
        rows.append({"law": law, "method": method} | published | read | rest)
    return pd.DataFrame(rows)


def _published(method: Method | None, quantity: str) -> dict[str, float]:
    """None: a control, which the paper does not have."""
    aggregate, shapes3d = (method.published if method else {}).get(quantity, (float("nan"), float("nan")))
    return {"published": aggregate, "published_shapes3d": shapes3d}


def _mean(scores: pd.DataFrame, quantity: str) -> float:
    """Each seed counts once, however many draws were read of it."""
    return float(scores.groupby("seed")[quantity].mean().mean())


def _told(row: pd.Series) -> str:
    if pd.isna(row["ours"]):
        return "-"
    if row["low"] == row["high"]:
        return f"{row['ours']:.2f}"
    return f"{row['ours']:.2f} [{row['low']:.2f}, {row['high']:.2f}]"

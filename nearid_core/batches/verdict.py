"""What a batch report comes to, in a sentence or two."""

from __future__ import annotations

import pandas as pd

from nearid_core.batches.design import Design
from nearid_core.batches.removal import QUARTER

_AGAINST = {"pca": "PCA", "pca_random": "a random rotation"}


def verdict(design: Design, summary: pd.DataFrame, advantages: pd.DataFrame, table: pd.DataFrame) -> str:
    """Whether ICA sets batch apart from biology better than what it is held against.

    A claim needs a design in which labels occur in several batches, and an area of ICA that is above PCA's and random
    rotations' by the interval of the difference, and above every single random rotation's. summary, advantages,
    table : of a `BatchReport`.
    """
    if design.kind == "no labels":
        return f"{design.sentence.split('. ')[0].rstrip('.')}."
    ahead = advantages.set_index("versus").astype(float)
    if not set(_AGAINST) <= set(ahead.index):
        return "Not judged: that takes the spaces pca, pca_ica and pca_random."
    by_space = summary.set_index("space")[["area", "area_high"]].astype(float)
    areas = by_space["area"]
    read = f"Area under biology kept against batch left (1 is best): ICA {areas['pca_ica']:.2f}"
    read += "".join(f", {_versus(ahead, space, areas[space])}" for space in _AGAINST) + "."
    if not design.separable:
        nested = f"the design is {design.kind}, so a difference between labels is one between batches, too"
        return f"Inseparable: {nested}; no separation is claimed. {read}"
    no_better = [space for space in _AGAINST if not ahead["low"][space] > 0]
    if areas["pca_ica"] <= by_space["area_high"]["pca_random"] and "pca_random" not in no_better:
        no_better.append("pca_random")
    if no_better:
        names = " or ".join(_AGAINST[space] for space in no_better)
        return f"No separation by ICA is claimed: it does no better than {names}. {read}{_unidentified(table)}"
    return (
        f"Independent components set batch apart from biology better than PCA and random rotations do. {read}"
        f"{_unidentified(table)}"
    )


def _versus(ahead: pd.DataFrame, space: str, area: float) -> str:
    difference, low, high = (ahead[name][space] for name in ("difference", "low", "high"))
    return f"{_AGAINST[space]} {area:.2f} (ICA ahead by {difference:.2f} [{low:.2f}, {high:.2f}])"


def _unidentified(table: pd.DataFrame) -> str:
    """Gaussian components have no axes of their own: what ICA then calls a component is an accident of the sample."""
    ica = table[(table["space"] == "pca_ica") & (table["draw"] == 0)]
    first = ica.nlargest(max(1, round(QUARTER * len(ica))), "chosen_eta2_batch")
    identified = int(first["identified"].sum())
    if 2 * identified >= len(first):
        return ""
    return (
        f" Of the {len(first)} components with most batch, {identified} are identified (non-Gaussian on held-out rows, "
        f"found again in resamples): other samples would give other components. What is close to Gaussian, or rests on "
        f"few rows, has no axes that ICA could find."
    )

"""What a batch report comes to, in a sentence or two."""

from __future__ import annotations

import pandas as pd

from nearid_core.batches.design import Design
from nearid_core.batches.removal import QUARTER

_AGAINST = {"pca": "PCA", "pca_random": "a random rotation"}


def verdict(design: Design, summary: pd.DataFrame, advantages: pd.DataFrame, table: pd.DataFrame) -> str:
    """Whether ICA sets batch apart from biology better than what it is held against.

    A claim needs three things: a design in which labels occur in several batches; an area of ICA above PCA's and above
    random rotations', the interval of the difference included; and that of the components which go first at least half
    are identified. summary, advantages, table : of a `BatchReport`.
    """
    if design.kind == "no labels":
        return f"{design.sentence.split('. ')[0].rstrip('.')}."
    ahead = advantages.set_index("versus").astype(float)
    if not set(_AGAINST) <= set(ahead.index):
        return "Not judged: that takes the spaces pca, pca_ica and pca_random."
    areas = summary.set_index("space")["area"].astype(float)
    read = f"Area under biology kept against batch left (1 is best): ICA {areas['pca_ica']:.2f}"
    read += "".join(f", {_versus(ahead.loc[space], space, areas[space])}" for space in _AGAINST) + "."
    if not design.separable:
        nested = f"the design is {design.kind}, so a difference between labels is one between batches, too"
        return f"Inseparable: {nested}; no separation is claimed. {read}"
    no_better = [title for space, title in _AGAINST.items() if ahead["low"][space] <= 0]
    unidentified = _unidentified(table)
    if no_better:
        return f"No separation is claimed: ICA does no better than {' or '.join(no_better)}. {read}{unidentified}"
    if unidentified:
        return f"No separation is claimed, though ICA is ahead.{unidentified} {read}"
    return f"Independent components set batch apart from biology, better than PCA and random rotations do. {read}"


def _versus(row: pd.Series, space: str, area: float) -> str:
    return f"{_AGAINST[space]} {area:.2f} (ICA ahead by {row['difference']:.2f} [{row['low']:.2f}, {row['high']:.2f}])"


def _unidentified(table: pd.DataFrame) -> str:
    """Gaussian components have no axes of their own: what ICA then calls a component is an accident of the sample."""
    ica = table[(table["space"] == "pca_ica") & (table["draw"] == 0)]
    first = ica.nlargest(max(1, round(QUARTER * len(ica))), "chosen_eta2_batch")
    identified = int(first["identified"].sum())
    if 2 * identified >= len(first):
        return ""
    return (
        f" Of the {len(first)} components with most batch {identified} are identified (non-Gaussian on held-out rows, "
        f"and found again in resamples): what is close to Gaussian has no axes that ICA could find."
    )

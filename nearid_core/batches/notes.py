"""What a reader of a batch report has to know, a sentence each."""

from __future__ import annotations

import pandas as pd

from nearid_core.batches.corrected_spaces import SPACES
from nearid_core.batches.cross_batch import POSITION
from nearid_core.batches.fit_rows import SAMPLED, FitRows
from nearid_core.batches.halves import Halved
from nearid_core.batches.retrieval import MAX_ROWS
from nearid_core.batches.settings import Settings
from nearid_core.batches.tasks import MAX_FOLDS, MAX_LABELS, judged_labels

FEW_BATCHES = 8
SCORED_ROWS = 5_000  # held-out rows that mixing scores are of at most
SHARED_BY_ROTATIONS = (
    "L2 logistic regression decides the same in PCA, PCA + ICA and PCA + random; distances, mixing scores, retrieval "
    "and, on the rows of the fit, the mean eta^2 are the same, too: none of these can show a gain of ICA."
)


def notes(table: Halved, rows: FitRows, settings: Settings) -> tuple[str, ...]:
    """Sentences on the split, on what the spaces were fitted on, and on what was sampled."""
    said = [_split(table, settings.split_seed), _fitted(table, rows, settings.transductive), _kept(rows)]
    said.append(SHARED_BY_ROTATIONS)
    seeing = [SPACES[name].title for name in settings.spaces if SPACES[name].transductive]
    if seeing and not settings.transductive:
        said.append(f"Fitted on all rows all the same, those they are judged on included: {', '.join(seeing)}.")
    columns = table.columns
    if len(columns.batch) <= FEW_BATCHES:
        said.append(
            f"{len(columns.batch)} batches differ in at most {len(columns.batch) - 1} directions, so more technical "
            f"effects than that cannot be told apart."
        )
    if columns.label is not None and len(judged_labels(columns, limit=len(columns))) > MAX_LABELS:
        said.append(f"Cross-batch AUROC is of {MAX_LABELS} labels, drawn with the seed.")
    if len(table.read_rows) > SCORED_ROWS:
        said.append(
            f"Mixing scores are of {SCORED_ROWS:,} of the {len(table.read_rows):,} held-out rows, retrieval of "
            f"{MAX_ROWS:,} at most, drawn with the seed."
        )
    if len(columns.batch) > MAX_FOLDS:
        said.append(f"{MAX_FOLDS} of the {len(columns.batch)} batches were left out in turn, drawn with the seed.")
    if columns.label is not None and columns.control is None:
        said.append("Without controls every label is told from all others.")
    return tuple(said)


def _split(table: Halved, asked: int) -> str:
    columns = table.columns
    by = f"by {columns.group.name}" if columns.group is not None else "by sample"
    moved = "" if table.seed == asked else f" (seed {asked} left one half without two batches)"
    sides = [set(columns.batch.codes[rows]) for rows in (table.fit_rows, table.read_rows)]
    unseen = "batches that the fit half has not seen" if not sides[0] & sides[1] else "the same batches"
    return (
        f"Split {by}, seed {table.seed}{moved}: chosen on {len(table.fit_rows):,} rows, read on "
        f"{len(table.read_rows):,} rows of {unseen}."
    )


def _fitted(table: Halved, rows: FitRows, transductive: bool) -> str:
    which = "all rows, without their labels (transductive)" if transductive else "the fit half only (inductive)"
    drawn = f"; {SAMPLED:,} of its {len(rows.rows):,} rows, drawn with the seed" if len(rows.rows) > SAMPLED else ""
    left_out = "" if transductive else "; for each left-out batch, on the other batches"
    return f"Spaces are fitted on {which}{drawn}{left_out}."


def _kept(rows: FitRows) -> str:
    share = float(rows.shares(rows.whitening).sum())
    return (
        f"{rows.whitening.rank} leading principal directions of the {rows.table.shape[1]} standardised features are "
        f"whitened; they hold {share:.1%} of the variance."
    )


def position_note(cross_batch: pd.DataFrame) -> tuple[str, ...]:
    """Whether the place on the plate alone tells labels from controls; nothing where positions are not known."""
    if cross_batch.empty or POSITION not in set(cross_batch["space"]):
        return ()
    reached = float(cross_batch.loc[cross_batch["space"] == POSITION, "auroc"].iloc[0])
    best = float(cross_batch.loc[cross_batch["space"] != POSITION, "auroc"].max())
    said = f"The well alone tells labels from what they are compared with at an AUROC of {reached:.2f}"
    if reached < best:
        return (f"{said}; the best space reaches {best:.2f}.",)
    return (
        f"{said}, no space does better ({best:.2f}): plates share a layout, so the effect of a label is inseparable "
        f"from that of its wells.",
    )

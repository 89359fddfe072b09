"""The result of a batch report. Reading one needs neither scipy nor scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nearid_core.batches.correction import ComponentRemoval, checked_drop
from nearid_core.batches.design import Design
from nearid_core.batches.removal import most_first
from nearid_core.batches.verdict import verdict
from nearid_core.components import Components
from nearid_core.errors import InvalidInput
from nearid_core.results import Entry

TABLES = (
    "table",
    "summary",
    "advantages",
    "removal_curves",
    "cross_batch",
    "cross_batch_labels",
    "folds",
    "mixing",
    "retrieval",
)


@dataclass(frozen=True, eq=False)
class BatchReport:
    """Batch against biology in several coordinate systems of one table.

    design : which batches hold which labels, and whether a separation could be seen at all.
    table : one row a (space, draw, component); see `component_rows`. Those of ``pca_ica`` also have ``identified``.
    summary : one row a space: ``dimensions``; ``mean_eta2_batch``, ``mean_eta2_bio``; of selective removal ``area``
        (with ``area_low`` and ``area_high``: a jackknife over independent units, or the spread of the random draws)
        and ``ratio_at_quarter``; of the biology's concentration ``share`` and ``mean_top``.
    advantages : by how much ICA's area exceeds each other space's, with a paired jackknife interval.
    removal_curves : one row a (space, draw, number dropped); see `removal_curve`.
    cross_batch : one row a (space, penalty), mean over labels; cross_batch_labels : one a label; folds : one a label
        and left-out batch, skipped ones with their reason.
    mixing : one row a (space, score), as scib defines them. retrieval : one row a (space, kind, label): mean average
        precision of finding a label's samples in other batches (kind ``replicate``), or a mechanism's under other
        labels, and its null. PCA stands for its rotations in both.
    components : the independent components, fitted on the fit half. drop : the ones dropped for the space ``kept``.
    heldout : (N,) bool, rows that everything but the choice is read on.
    settings : what it was asked for; notes : what a reader has to know, a sentence each.
    """

    design: Design
    table: pd.DataFrame
    summary: pd.DataFrame
    advantages: pd.DataFrame
    removal_curves: pd.DataFrame
    cross_batch: pd.DataFrame
    cross_batch_labels: pd.DataFrame
    folds: pd.DataFrame
    mixing: pd.DataFrame
    retrieval: pd.DataFrame
    components: Components
    drop: tuple[int, ...]
    heldout: np.ndarray
    settings: dict[str, Any]
    notes: tuple[str, ...]
    values: np.ndarray | None = None
    samples: pd.DataFrame | None = None

    @property
    def verdict(self) -> str:
        """Whether ICA sets batch apart from biology here, against PCA and random rotations: one sentence or two."""
        return verdict(self.design, self.summary, self.advantages, self.table)

    @property
    def most_batch(self) -> list[int]:
        """The independent components, those with most batch (where they were chosen) first."""
        ica = self.table[self.table["space"] == "pca_ica"]
        return [int(number) for number in most_first(ica["chosen_eta2_batch"].to_numpy())]

    @property
    def retrieval_summary(self) -> pd.DataFrame:
        """One row a (space, kind): mean average precision over labels, its interval and null, the share retrieved."""
        from nearid_core.batches.retrieval import retrieved

        parts = self.retrieval.groupby(["space", "kind"], sort=False) if len(self.retrieval) else ()
        return pd.DataFrame([{"space": keys[0], "kind": keys[1], **retrieved(part)} for keys, part in parts])

    @property
    def mixing_table(self) -> pd.DataFrame:
        """One row a space, one column a score."""
        if self.mixing.empty:
            return self.mixing
        wide = self.mixing.pivot_table(index="space", columns="score", values="value", sort=False, dropna=False)
        return wide.reset_index().rename_axis(columns=None)

    def __repr__(self) -> str:
        shown = self.summary.round(3).to_string(index=False, na_rep="-")
        return "\n".join([self.verdict, "", shown, *(f"Note: {note}" for note in self.notes)])

    def correction(self, drop: Sequence[int] | None = None, *, keep_rest: bool = False) -> ComponentRemoval:
        """What takes components out of this and of later tables.

        drop : their numbers (default: those that this report dropped). keep_rest : keep what lies outside all
            components, too.
        """
        chosen = self.drop if drop is None else checked_drop(drop, self.components.rank)
        return ComponentRemoval(self.components, chosen, keep_rest)

    def export(self, path: str | Path, drop: Sequence[int] | None = None, *, keep_rest: bool = False) -> Path:
        """Write the corrected table beside what is known of its samples; parquet, csv, npz or h5ad by the ending.

        Raises InvalidInput where this report was read from the cache without its rows.
        """
        from nearid_core.batches.corrected import export_corrected

        if self.values is None or self.samples is None:
            raise InvalidInput("This report was read without its rows; give it the table again to export from it.")
        correction, known = self.correction(drop, keep_rest=keep_rest), self.settings
        return export_corrected(correction, self.values, self.samples, path, features=known["features"], settings=known)

    def to_entry(self) -> Entry:
        """What the disk cache keeps: everything but the rows."""
        fitted = self.components.to_entry()
        tables = {name: getattr(self, name) for name in TABLES}
        meta = {
            "drop": list(self.drop),
            "settings": self.settings,
            "notes": list(self.notes),
            "design": self.design.to_meta(),
            "components": fitted.meta,
        }
        return Entry(
            tables={**tables, "design": self.design.table, **fitted.tables},
            arrays={"heldout": self.heldout, **fitted.arrays},
            meta=meta,
        )

    @classmethod
    def from_entry(cls, entry: Entry) -> BatchReport:
        meta = entry.meta
        return cls(
            **{name: entry.tables[name] for name in TABLES},  # type: ignore[arg-type]
            design=Design.from_meta(entry.tables["design"], meta["design"]),
            components=Components.from_entry(Entry(entry.tables, entry.arrays, meta["components"])),
            drop=tuple(meta["drop"]),
            heldout=entry.arrays["heldout"],
            settings=meta["settings"],
            notes=tuple(meta["notes"]),
        )

    def with_rows(self, values: np.ndarray, samples: pd.DataFrame) -> BatchReport:
        """The same report beside the table that it was made of."""
        return replace(self, values=values, samples=samples)

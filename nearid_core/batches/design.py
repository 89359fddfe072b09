"""Can this design tell biology from batch at all? Asked before anything is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from nearid_core.batches.columns import Columns

CROSSED = 0.9  # share of labelled rows whose label occurs in two or more batches
NEARLY_NESTED = 0.5
_NAMED = 6  # labels named in a sentence


@dataclass(frozen=True, eq=False)
class Design:
    """How batches and labels lie over each other.

    table : DataFrame, one row a (batch, label): ``rows``, ``control``; combinations without a row are left out.
    kind : ``crossed`` (at least 90% of the labelled rows that are no controls have a label that occurs in two or more
        independent batches), ``partly crossed`` (at least half), ``nearly nested``, ``nested`` (none), or
        ``no labels``.
    shared : that share; NaN without labels.
    single : labels that occur in one independent batch only.
    n_units : batches that are left out together count once (they share a group).
    controls_per_batch : Series by batch, NaN without controls.
    level : what a row is, as far as it was said.
    """

    table: pd.DataFrame
    kind: str
    shared: float
    single: tuple[str, ...]
    n_units: int
    controls_per_batch: pd.Series
    level: str | None

    @property
    def separable(self) -> bool:
        """Whether a difference between labels can be told from one between batches."""
        return self.kind in ("crossed", "partly crossed")

    def to_meta(self) -> dict[str, Any]:
        """Everything but the table, JSON-able."""
        counts = None if self.controls_per_batch.isna().all() else self.controls_per_batch.astype(int).to_dict()
        return {
            "kind": self.kind,
            "shared": None if np.isnan(self.shared) else self.shared,
            "single": list(self.single),
            "n_units": self.n_units,
            "controls_per_batch": counts,
            "level": self.level,
        }

    @classmethod
    def from_meta(cls, table: pd.DataFrame, meta: dict[str, Any]) -> Design:
        counts, shared = meta["controls_per_batch"], meta["shared"]
        per_batch = pd.Series(counts or dict.fromkeys(table["batch"], np.nan), dtype=float)
        return cls(
            table=table,
            kind=meta["kind"],
            shared=np.nan if shared is None else shared,
            single=tuple(meta["single"]),
            n_units=meta["n_units"],
            controls_per_batch=per_batch,
            level=meta["level"],
        )

    @property
    def sentence(self) -> str:
        return " ".join(part for part in (self._crossing(), self._controls(), self._level()) if part)

    def _crossing(self) -> str:
        n_batches, n_labels = self.table["batch"].nunique(), self.table["label"].replace("", pd.NA).nunique()
        units = "" if self.n_units == n_batches else f" ({self.n_units} of them independent)"
        if self.kind == "no labels":
            return f"{n_batches} batches{units} and no labels: only what is batch can be said, not what is biology."
        opening = f"{n_batches} batches{units} by {n_labels} labels, {self.kind}:"
        if self.kind == "crossed":
            return f"{opening} {self.shared:.0%} of the labelled rows have a label that occurs in two or more batches."
        named = ", ".join(self.single[:_NAMED]) + (", ..." if len(self.single) > _NAMED else "")
        most = "no label but the control's occurs" if self.kind == "nested" else f"{len(self.single)} labels occur"
        where = "in two batches" if self.kind == "nested" else "in one batch only"
        refusal = "" if self.separable else " Biology and batch are inseparable here, and no separation is claimed."
        return f"{opening} {most} {where} ({named}).{refusal}"

    def _controls(self) -> str:
        if self.controls_per_batch.isna().all():
            return "No controls are named: batch effects are read on all rows, biology included."
        without = self.controls_per_batch[self.controls_per_batch == 0]
        if len(without):
            return f"Controls are missing in {len(without)} batches ({', '.join(without.index[:_NAMED])})."
        low, high = int(self.controls_per_batch.min()), int(self.controls_per_batch.max())
        return f"{low}-{high} control rows a batch." if low != high else f"{low} control rows in each batch."

    def _level(self) -> str:
        return f"A row is a {self.level}." if self.level else "What a row is (cell, well, ...) was not said."


def check_design(columns: Columns) -> Design:
    """The crosstab of batches and labels, and what it allows to be claimed."""
    label = columns.label
    labels = label.texts if label is not None else np.full(len(columns), "")
    control = columns.is_control
    rows = pd.DataFrame({"batch": columns.batch.texts, "label": labels, "control": control})
    table = rows.groupby(["batch", "label"]).agg(rows=("control", "size"), control=("control", "any")).reset_index()
    units = independent_units(columns)
    per_batch = rows.groupby("batch")["control"].sum().astype(float)
    labelled = np.zeros(len(rows), bool) if label is None else label.known & ~control
    kind, shared, single = _crossing(rows.assign(unit=units)[labelled])
    return Design(
        table=table,
        kind=kind,
        shared=shared,
        single=single,
        n_units=len(np.unique(units)),
        controls_per_batch=per_batch if columns.control is not None else per_batch * np.nan,
        level=columns.level,
    )


def independent_units(columns: Columns) -> np.ndarray:
    """(N,) int: batches that share a group are one unit, since leaving one out leaves out the group."""
    batch = columns.batch
    if columns.group is None:
        return batch.codes
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    rows = columns.group.known
    n_batches, n_groups = len(batch), len(columns.group)
    links = (np.ones(rows.sum()), (batch.codes[rows], n_batches + columns.group.codes[rows]))
    graph = coo_array(links, shape=(n_batches + n_groups,) * 2)
    _, component = connected_components(graph, directed=False)
    return np.unique(component[:n_batches], return_inverse=True)[1][batch.codes]


def _crossing(rows: pd.DataFrame) -> tuple[str, float, tuple[str, ...]]:
    """rows : those with a label that are no controls."""
    if rows.empty:
        return "no labels", np.nan, ()
    counts = rows.groupby("label")["unit"].nunique()
    shared = float((rows["label"].map(counts) >= 2).mean())
    single = tuple(counts.index[counts < 2])
    if shared >= CROSSED:
        return "crossed", shared, single
    if shared >= NEARLY_NESTED:
        return "partly crossed", shared, single
    return ("nearly nested" if shared > 0 else "nested"), shared, single

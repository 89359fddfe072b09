"""Components of one representation against known factors. Reading one needs neither scipy nor scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from nearid_core.components import Components
from nearid_core.factors.spaces import Coordinates, coordinates_of
from nearid_core.factors.verdict import OUTCOMES, count, figures_of, outcome, told
from nearid_core.results import Entry

TABLES = ("table", "associations", "directions")


@dataclass(frozen=True, eq=False)
class FactorReport:
    """How well each coordinate system of a representation lines up with known factors, on held-out rows.

    table : one row a (space, draw, subset, score): ``value``, ``null_mean``, ``null_q95`` and ``p_value`` over row
        permutations, ``low`` and ``high`` (95 %), ``n_latents``, ``n_active``. subset is ``all``, or ``identified`` for
        the independent components that are. Random rotations are themselves a control and have no null.
    associations : one row a (space, component, factor), the first random draw only: ``nmi``, ``pearson``, ``spearman``
        (absolute), and for each of them whether the pair is in the best assignment (``nmi_matched`` ...).
    directions : principal directions with their standard deviation, and whether they are active.
    components : the independent components, fitted on the fit half, of the active directions.
    settings : what was asked for, and how many rows were fitted and scored; notes : what a reader has to know.
    """

    table: pd.DataFrame
    associations: pd.DataFrame
    directions: pd.DataFrame
    components: Components
    settings: dict[str, Any]
    notes: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """Whether ICA finds the factors here, against the raw axes, PCA and random rotations."""
        summary = self.summary()
        said = [OUTCOMES[self.outcome], told(summary)]
        active = figures_of(summary, "mcc").get("ica", {}).get("n_active", self.components.rank)
        counted = (
            f"{count(active, 'active direction')} for {count(len(self.settings['factors']), 'factor')}; "
            f"{self.n_identified} of {count(self.components.rank, 'component')} identified."
        )
        return f"{'. '.join(part for part in said if part)}. {counted}"

    @property
    def outcome(self) -> str:
        """The verdict as a key of `OUTCOMES`."""
        return outcome(self.summary(), len(self.settings["factors"]), self.n_identified)

    @property
    def n_identified(self) -> int:
        return int(self.components.diagnostics["identified"].sum())

    def summary(self) -> pd.DataFrame:
        """One row a (space, subset, score); random rotations have their mean, and their extremes as interval."""
        several = self.table.groupby(["space", "subset", "score"], sort=False)
        found = several.first().drop(columns="draw")
        spread = several["value"].agg(["mean", "min", "max", "size"])
        drawn = (spread["size"] > 1).to_numpy()
        found.loc[drawn, ["value", "low", "high"]] = spread.loc[drawn, ["mean", "min", "max"]].to_numpy()
        return found.reset_index()

    def association(self, space: str, measure: str = "nmi") -> pd.DataFrame:
        """Components by factors, in the order they have in the space."""
        rows = self.associations[self.associations["space"] == space]
        wide = rows.pivot_table(index="component", columns="factor", values=measure)
        return wide[list(self.settings["factors"])].rename_axis(columns=None)

    def coordinates(self, spaces: Sequence[str]) -> list[Coordinates]:
        """The maps behind the spaces, for rows of the representation that are drawn or looked at."""
        return coordinates_of(spaces, self.components, self.settings["split_seed"])

    def __repr__(self) -> str:
        wide = self.summary().query("subset == 'all'").pivot_table(index="space", columns="score", values="value")
        shown = wide.reindex(index=self.settings["spaces"], columns=self.summary()["score"].unique())
        lines = shown.round(3).rename_axis(index=None, columns=None).to_string(na_rep="-")
        return "\n".join([self.verdict, "", lines, *(f"Note: {note}" for note in self.notes)])

    def to_entry(self) -> Entry:
        """What the disk cache keeps."""
        fitted = self.components.to_entry()
        tables = {name: getattr(self, name) for name in TABLES}
        meta = {"settings": self.settings, "notes": list(self.notes), "components": fitted.meta}
        return Entry({**tables, **fitted.tables}, fitted.arrays, meta)

    @classmethod
    def from_entry(cls, entry: Entry) -> FactorReport:
        meta = entry.meta
        return cls(
            **{name: entry.tables[name] for name in TABLES},
            components=Components.from_entry(Entry(entry.tables, entry.arrays, meta["components"])),
            settings=meta["settings"],
            notes=tuple(meta["notes"]),
        )

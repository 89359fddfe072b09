"""Factor reports of several runs of one configuration, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from nearid_core.factors.report import FactorReport
from nearid_core.factors.spaces import CONTROL
from nearid_core.factors.verdict import OUTCOMES, count, told


@dataclass(frozen=True, eq=False)
class SeedReports:
    """reports : run id to its report; all of the same settings."""

    reports: Mapping[str, FactorReport]

    @property
    def table(self) -> pd.DataFrame:
        """One row a (run, space, subset, score); random rotations have their mean over draws, and their extremes."""
        each = [report.summary().assign(run=run) for run, report in self.reports.items()]
        together = pd.concat(each, ignore_index=True)
        return together[["run", *together.columns.drop("run")]]

    def summary(self) -> pd.DataFrame:
        """One row a (space, subset, score), the mean over runs; ``low`` and ``high`` are the extremes over runs (and
        draws of a random rotation).

        Of a single run they are its own interval.
        """
        if len(self.reports) == 1:
            return next(iter(self.reports.values())).summary()
        rows = self.table.groupby(["space", "subset", "score"], sort=False)
        found = rows[["n_latents", "n_active", "value", "null_mean", "null_q95"]].mean()
        found["low"], found["high"] = rows["value"].min(), rows["value"].max()
        drawn = found.index.get_level_values("space") == CONTROL
        found.loc[drawn, "low"], found.loc[drawn, "high"] = rows["low"].min()[drawn], rows["high"].max()[drawn]
        return found.reset_index()

    @property
    def verdict(self) -> str:
        """What most runs come to, how many they are, and the scores' means with their extremes."""
        if len(self.reports) == 1:
            return next(iter(self.reports.values())).verdict
        outcomes = Counter(report.outcome for report in self.reports.values())
        usual, times = outcomes.most_common(1)[0]
        identified = [report.n_identified / report.components.rank for report in self.reports.values()]
        parts = [
            f"{OUTCOMES[usual]} (in {times} of {len(self.reports)} runs)",
            told(self.summary()),
            f"Mean [least, most] over {count(len(self.reports), 'run')}; "
            f"{sum(identified) / len(identified):.0%} of components identified",
        ]
        return ". ".join(part for part in parts if part) + "."

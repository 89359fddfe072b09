"""Each correction as a space: the table after it, standardised."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nearid_core.batches.corrections import CORRECTIONS, Correcting
from nearid_core.batches.fit_rows import FitRows
from nearid_core.batches.spaces import SPACES, FittedSpace, fit_spaces, standardising

__all__ = ["SPACES", "FittedSpace", "fit_spaces"]


@dataclass(frozen=True)
class Corrected:
    correcting: Correcting

    @property
    def name(self) -> str:
        return self.correcting.name

    @property
    def title(self) -> str:
        return self.correcting.title

    @property
    def description(self) -> str:
        return self.correcting.description

    @property
    def transductive(self) -> bool:
        return self.correcting.transductive

    def fit(self, rows: FitRows) -> list[FittedSpace]:
        learned = np.arange(len(rows.table)) if self.transductive else rows.rows
        result = self.correcting.corrected(rows.table, rows.batch, rows.control, learned)
        scale = standardising(result[learned])
        return [FittedSpace(self.name, lambda wanted: scale(result[wanted]))]


for _correcting in CORRECTIONS:
    SPACES.register(Corrected(_correcting))

"""What a correction is."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from nearid_core.errors import InvalidInput
from nearid_core.registry import Registry

FEWEST = 2  # rows that a batch's own statistics are taken from


class Correcting(Protocol):
    """transductive : whether it needs all rows at once, those that it is judged on included."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def description(self) -> str: ...

    @property
    def transductive(self) -> bool: ...

    def corrected(
        self, values: np.ndarray, batch: np.ndarray, control: np.ndarray | None, fit: np.ndarray
    ) -> np.ndarray:
        """All N rows, corrected; (N, k) float64.

        values : (N, D); batch : (N,) int; control : (N,) bool or None; fit : positions of the rows from which what is
        shared between batches is learned. What is a batch's own comes from its controls, which any new batch brings.
        """
        ...


CORRECTIONS: Registry[Correcting] = Registry("correction")


def own_rows(batch: np.ndarray, control: np.ndarray | None, which: int, what: str) -> np.ndarray:
    """Positions of a batch's controls, or of all its rows where no controls are named.

    Raises InvalidInput for a batch that has too few of them.
    """
    rows = np.flatnonzero((batch == which) & (True if control is None else control))
    if len(rows) < FEWEST:
        kind = "rows" if control is None else "control rows"
        raise InvalidInput(
            f"{what} takes {FEWEST} or more {kind} in every batch; the batch number {which} (sorted, from 0) has "
            f"{len(rows)}. Leave that batch out, or choose another correction."
        )
    return rows

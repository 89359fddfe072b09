"""Which rows spaces are fitted on and which everything is read on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nearid_core.batches.columns import Columns
from nearid_core.components import heldout_mask
from nearid_core.errors import NotIdentifiable

WITHIN_WELL = ("cell", "field")  # levels of which several rows come from one well
_SEEDS = 50
_FEWEST = 0.2  # share of the rows that either side has at least


@dataclass(frozen=True, eq=False)
class Halved:
    """A table, and which of its rows are held out.

    values : (N, D); units : (N,) str, equal for rows that are not independent; heldout : (N,) bool;
    seed : of the split.
    """

    values: np.ndarray
    columns: Columns
    units: np.ndarray
    heldout: np.ndarray
    seed: int

    @classmethod
    def of(cls, values: np.ndarray, columns: Columns, sample_ids: np.ndarray, split_seed: int) -> Halved:
        units = row_units(columns, sample_ids)
        return cls(values, columns, units, *halves(columns, units, split_seed))

    @property
    def fit_rows(self) -> np.ndarray:
        return np.flatnonzero(~self.heldout)

    @property
    def read_rows(self) -> np.ndarray:
        return np.flatnonzero(self.heldout)

    @property
    def all_rows(self) -> np.ndarray:
        return np.arange(len(self.heldout))


def row_units(columns: Columns, sample_ids: np.ndarray) -> np.ndarray:
    """(N,) str, equal for rows that are not independent: a group, the cells of one well, else each row by itself."""
    if columns.group is not None:
        return np.where(columns.group.known, columns.group.texts, sample_ids)
    if columns.position is not None and columns.level in WITHIN_WELL:
        return np.char.add(np.char.add(columns.batch.texts, " "), columns.position.texts)
    return sample_ids


def halves(columns: Columns, units: np.ndarray, split_seed: int) -> tuple[np.ndarray, int]:
    """The held-out mask by a hash of each row's unit, and the seed that gave it.

    Few, large units can leave a side without two batches: the next seeds are tried then, and the one that is used is
    returned. Raises NotIdentifiable where none of 50 does.
    """
    for seed in range(split_seed, split_seed + _SEEDS):
        heldout = heldout_mask(units, seed)
        sides = [len(np.unique(columns.batch.codes[side])) for side in (heldout, ~heldout)]
        if min(sides) >= 2 and _FEWEST <= heldout.mean() <= 1 - _FEWEST:
            return heldout, seed
    raise NotIdentifiable(
        f"The {len(np.unique(units))} independent units of the {len(columns):,} rows cannot be split so that both "
        f"halves hold two batches: what is chosen on one half could not be read on the other. Name a finer group, or "
        f"none."
    )

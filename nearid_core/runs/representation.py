"""A representation: what one layer of one model says about each sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nearid_core.digest import array_digest, text_digest
from nearid_core.errors import InvalidInput


@dataclass(frozen=True, eq=False)
class Representation:
    """Values of one layer, one row a sample.

    values : (N, D) numbers, in the dtype they came in; may be memory-mapped.
    sample_ids : (N,) unique strings; None when rows are matched by position only.
    run, layer : where it comes from, for messages and tables.

    Raises InvalidInput for values that are not a numeric matrix, or ids that do not fit it.
    """

    values: np.ndarray
    sample_ids: np.ndarray | Sequence[str] | None = None
    run: str | None = None
    layer: str | None = None

    def __post_init__(self) -> None:
        values = np.asanyarray(self.values)
        if values.ndim != 2 or not np.issubdtype(values.dtype, np.number) or np.iscomplexobj(values):
            raise InvalidInput(
                f"{self.name} has shape {values.shape} and type {values.dtype}; expected a matrix of real numbers, "
                f"one row a sample and one column a dimension."
            )
        if 0 in values.shape:
            raise InvalidInput(f"{self.name} is empty: its shape is {values.shape}.")
        object.__setattr__(self, "values", values)
        if self.sample_ids is not None:
            object.__setattr__(self, "sample_ids", self._checked_ids(np.asarray(self.sample_ids).astype(str)))

    def _checked_ids(self, ids: np.ndarray) -> np.ndarray:
        if ids.shape != (len(self.values),):
            raise InvalidInput(f"{self.name} has {len(self.values)} rows but {ids.size} sample ids; give one id a row.")
        unique, counts = np.unique(ids, return_counts=True)
        if len(unique) < len(ids):
            twice = str(unique[counts > 1][0])
            raise InvalidInput(f"{self.name} holds sample id {twice!r} more than once; ids have to be unique.")
        return ids

    def take(self, rows: np.ndarray) -> Representation:
        """Some of the rows, by position."""
        ids = None if self.sample_ids is None else np.asarray(self.sample_ids)[rows]
        return Representation(self.values[rows], ids, self.run, self.layer)

    @property
    def name(self) -> str:
        if self.run is None:
            return "The array" if self.layer is None else f"The array {self.layer}"
        return f"Run {self.run}" if self.layer is None else f"Layer {self.layer} of run {self.run}"

    @cached_property
    def digest(self) -> str:
        """Content digest of the values."""
        return array_digest(self.values)

    @cached_property
    def ids_digest(self) -> str:
        return "rows" if self.sample_ids is None else text_digest(self.sample_ids)

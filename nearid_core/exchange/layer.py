"""The features of one file under one layer's name, read in blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from nearid_core.exchange.readers import Table

_STORABLE = ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8")


@dataclass(frozen=True, eq=False)
class FileLayer:
    """matrix : the name of the table's matrix, or None for columns of it.

    names : of the features, in order; for a matrix without names they are its column numbers.
    positions : of the features among the matrix's columns.
    """

    table: Table
    matrix: str | None
    names: tuple[str, ...]
    positions: np.ndarray

    @property
    def dtype(self) -> np.dtype:
        """In which the numbers are stored: as they come, where a run can hold that."""
        if self.matrix is not None:
            found = next(matrix.dtype for matrix in self.table.matrices if matrix.name == self.matrix)
        else:
            chosen = [column for column in self.table.columns if column.name in set(self.names)]
            floats = all(column.dtype in ("float16", "float32") for column in chosen)
            found = np.result_type(*(np.dtype(c.dtype) for c in chosen)) if floats else np.dtype(np.float64)
        native = found.newbyteorder("=")
        return native if native.name in _STORABLE else np.dtype(np.float64)

    def blocks(self) -> Iterator[np.ndarray]:
        """(rows, len(names)) in the order of the file."""
        if self.matrix is None:
            yield from self.table.blocks(self.names)
            return
        whole = len(self.positions) == next(m.width for m in self.table.matrices if m.name == self.matrix)
        for block in self.table.matrix_blocks(self.matrix):
            yield block if whole else block[:, self.positions]

    def keep(self, kept: np.ndarray) -> FileLayer:
        """With some of the features; kept : (len(names),) bool."""
        names = tuple(name for name, stays in zip(self.names, kept, strict=True) if stays)
        return replace(self, names=names, positions=self.positions[kept])

    def order(self, names: tuple[str, ...]) -> FileLayer:
        """With these of the features, in this order."""
        at = dict(zip(self.names, self.positions, strict=True))
        return replace(self, names=names, positions=np.array([at[name] for name in names], int))

"""Files of named arrays: those with one row a sample are columns and matrices of one table."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from nearid_core.errors import UnsupportedFormat
from nearid_core.exchange.readers.table import Column, Kind, Matrix, Table, rows_a_block

_KINDS: dict[str, Kind] = {"f": "number", "i": "integer", "u": "integer", "b": "boolean", "U": "text", "S": "text"}


@dataclass(frozen=True)
class Stored:
    """An array as its file declares it, before it is read."""

    shape: tuple[int, ...]
    dtype: np.dtype


class ArrayTable(Table):
    """arrays : by name. A vector is a column, a matrix a layer; all have as many rows.

    Raises UnsupportedFormat where no two agree on what a row is.
    """

    def __init__(self, path: Path, arrays: Mapping[str, Stored]) -> None:
        self._rows = _common_rows(path, arrays)
        vectors = {name: stored for name, stored in arrays.items() if len(stored.shape) == 1}
        columns = [Column(name, _KINDS[stored.dtype.kind], str(stored.dtype)) for name, stored in vectors.items()]
        matrices = [
            Matrix(name, stored.shape[1], stored.dtype) for name, stored in arrays.items() if name not in vectors
        ]
        super().__init__(path, columns, matrices)

    @property
    def n_rows(self) -> int:
        return self._rows

    @abstractmethod
    def parts(self, name: str, rows: int) -> Iterator[np.ndarray]:
        """An array in blocks of so many rows."""

    def frame(self, names: Sequence[str]) -> pd.DataFrame:
        read = {name: np.concatenate(list(self.parts(name, self._rows))) for name in names}
        return pd.DataFrame(read, index=pd.RangeIndex(self._rows))

    def blocks(self, names: Sequence[str]) -> Iterator[np.ndarray]:
        frame = self.frame(names)  # vectors only, and there are few in such a file
        yield frame.to_numpy()

    def matrix_blocks(self, name: str) -> Iterator[np.ndarray]:
        matrix = next(matrix for matrix in self.matrices if matrix.name == name)
        yield from self.parts(name, rows_a_block(matrix.width, matrix.dtype))


def _common_rows(path: Path, arrays: Mapping[str, Stored]) -> int:
    matrices = {name: stored for name, stored in arrays.items() if len(stored.shape) == 2}
    if not matrices:
        raise UnsupportedFormat(f"{path.name} holds no matrix with one row a sample: {_listed(arrays)}.")
    rows = {stored.shape[0] for stored in arrays.values()}
    if len(rows) > 1:
        raise UnsupportedFormat(
            f"{path.name} holds arrays that differ in their number of rows: {_listed(arrays)}; expected one row a "
            f"sample in each."
        )
    empty = [name for name, stored in matrices.items() if 0 in stored.shape]
    if empty:
        raise UnsupportedFormat(f"{path.name} is empty: its shape is {matrices[empty[0]].shape}.")
    return rows.pop()


def _listed(arrays: Mapping[str, Stored]) -> str:
    shown = [f"{name or 'the array'} {stored.shape}" for name, stored in list(arrays.items())[:6]]
    return ", ".join(shown) + (", ..." if len(arrays) > 6 else "") if shown else "nothing"

"""What every format looks like to an import: columns and matrices, read in blocks of rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

Kind = Literal["number", "integer", "boolean", "text", "time", "nested"]


@dataclass(frozen=True)
class Column:
    """dtype : as numpy writes it (``float32``), or what the format calls it."""

    name: str
    kind: Kind
    dtype: str

    @property
    def numeric(self) -> bool:
        return self.kind in ("number", "integer")


@dataclass(frozen=True)
class Matrix:
    """An array with one row a sample.

    name : empty where the file is nothing but this array.
    features : names of its columns, where the file has them.
    """

    name: str
    width: int
    dtype: np.dtype
    features: tuple[str, ...] = ()


class Table(ABC):
    """A file, open for reading in blocks; opening it reads what describes it and no more.

    path : of the file; columns : one value a sample each; matrices : several values a sample each.
    """

    def __init__(self, path: Path, columns: Sequence[Column] = (), matrices: Sequence[Matrix] = ()) -> None:
        self.path = path
        self.columns = tuple(columns)
        self.matrices = tuple(matrices)

    @property
    @abstractmethod
    def n_rows(self) -> int: ...

    @abstractmethod
    def frame(self, names: Sequence[str]) -> pd.DataFrame:
        """These columns, whole, with a row number as index; text that is empty is missing."""

    @abstractmethod
    def blocks(self, names: Sequence[str]) -> Iterator[np.ndarray]:
        """These columns of numbers in blocks of rows, each (rows, len(names)); a missing number is NaN."""

    @abstractmethod
    def matrix_blocks(self, name: str) -> Iterator[np.ndarray]:
        """A matrix in blocks of rows, in its own type."""


BLOCK_BYTES = 16 << 20  # of numbers held at a time: large enough for fast reading, small beside any machine's memory


def rows_a_block(width: int, dtype: np.dtype) -> int:
    return max(1, BLOCK_BYTES // max(1, width * dtype.itemsize))

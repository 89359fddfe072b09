"""One numpy array, memory-mapped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from nearid_core.exchange.readers.arrays import ArrayTable, Stored
from nearid_core.exchange.readers.npy_header import read_npy_header
from nearid_core.exchange.readers.reader import READERS, Reader


class NpyTable(ArrayTable):
    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._header = read_npy_header(file, path, "The array", path.stat().st_size)
        super().__init__(path, {"": Stored(self._header.shape, self._header.dtype)})

    def parts(self, name: str, rows: int) -> Iterator[np.ndarray]:
        header = self._header
        order = "F" if header.fortran else "C"
        values = np.memmap(self.path, header.dtype, "r", header.offset, header.shape, order)  # type: ignore[call-overload]
        for start in range(0, len(values), rows):
            yield values[start : start + rows]


READERS.register(Reader("npy", "One numpy array, a row a sample.", (".npy",), ("npy",), NpyTable))

"""An archive of numpy arrays, each unpacked in blocks of rows, never to disk: its names cannot lead astray."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from nearid_core.errors import UnsupportedFormat
from nearid_core.exchange.readers.arrays import ArrayTable, Stored
from nearid_core.exchange.readers.limits import check_expansion
from nearid_core.exchange.readers.npy_header import NpyHeader, read_npy_header
from nearid_core.exchange.readers.reader import READERS, Reader

_MOST_ARRAYS = 1_000


class NpzTable(ArrayTable):
    def __init__(self, path: Path) -> None:
        self.path = path
        self._headers: dict[str, NpyHeader] = {}
        with self._archive() as archive:
            members = archive.infolist()
            if len(members) > _MOST_ARRAYS:
                raise UnsupportedFormat(
                    f"{path.name} holds {len(members):,} arrays; at most {_MOST_ARRAYS:,} are read."
                )
            check_expansion(path, sum(member.file_size for member in members), path.stat().st_size)
            for member in members:
                name = member.filename.removesuffix(".npy")
                if name in self._headers:
                    raise UnsupportedFormat(f"{path.name} holds two arrays named {name!r}.")
                with archive.open(member) as file:
                    self._headers[name] = read_npy_header(file, path, f"Array {name!r}", member.file_size)  # type: ignore[arg-type]
        super().__init__(path, {name: Stored(head.shape, head.dtype) for name, head in self._headers.items()})

    def parts(self, name: str, rows: int) -> Iterator[np.ndarray]:
        header = self._headers[name]
        with self._archive() as archive, archive.open(f"{name}.npy") as file:
            file.read(header.offset)
            if header.fortran and len(header.shape) == 2:  # stored column by column: no row is whole before the end
                columns = np.frombuffer(file.read(header.nbytes), header.dtype).reshape(header.shape[::-1])
                yield from (columns.T[start : start + rows] for start in range(0, header.shape[0], rows))
                return
            row_bytes = header.nbytes // header.shape[0]
            for start in range(0, header.shape[0], rows):
                shape = (min(rows, header.shape[0] - start), *header.shape[1:])
                yield np.frombuffer(file.read(shape[0] * row_bytes), header.dtype).reshape(shape)

    @contextmanager
    def _archive(self) -> Iterator[zipfile.ZipFile]:
        try:
            with zipfile.ZipFile(self.path) as archive:
                yield archive
        except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, KeyError, NotImplementedError, RuntimeError) as e:
            reason = str(e).strip("'\"") or "unexpected end"
            raise UnsupportedFormat(
                f"{self.path.name} is cut off or damaged, and cannot be read as npz ({reason}); copy it again."
            ) from None


READERS.register(Reader("npz", "Numpy arrays, a row a sample in each.", (".npz",), ("npz", "zip"), NpzTable))

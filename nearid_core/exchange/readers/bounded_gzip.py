"""Gzipped text that cannot unpack to more than text does."""

from __future__ import annotations

import gzip
import io
import zlib
from pathlib import Path

from nearid_core.errors import UnsupportedFormat
from nearid_core.exchange.readers.limits import check_expansion


class BoundedGzip(io.RawIOBase):
    """A gzip file to read once, forwards. Raises UnsupportedFormat where it is cut off, damaged or a bomb."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._size = path.stat().st_size
        self._file = gzip.open(path, "rb")  # noqa: SIM115 - closed by close()
        self._read = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        try:
            found = self._file.readinto(buffer)
        except EOFError:
            raise UnsupportedFormat(
                f"{self._path.name} is cut off: its gzip data ends before its end mark; copy it again."
            ) from None
        except (gzip.BadGzipFile, zlib.error):
            raise UnsupportedFormat(
                f"{self._path.name} is damaged: its gzip data does not unpack; copy it again."
            ) from None
        self._read += found
        check_expansion(self._path, self._read, self._size)
        return found

    def close(self) -> None:
        self._file.close()
        super().close()

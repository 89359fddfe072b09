"""Reading a zip that may lie: no single read is large, no entry gives more than it declared."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from nearid_core.errors import InvalidInput, UnsupportedFormat
from nearid_core.runs.archive.contents import Entry, shown

LARGEST_READ = 1 << 22  # bytes; zipfile reads the whole list of entries at once, as large as the file says it is
BLOCK = 1 << 20

_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    UnicodeError,
    ValueError,
    OverflowError,
)


class Bounded(io.RawIOBase):
    """A file for `zipfile`, which trusts the sizes it reads: too large a read is refused instead of made."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def read(self, size: int | None = -1) -> bytes:
        if size is not None and size > LARGEST_READ:
            raise zipfile.BadZipFile("its list of entries is too long")
        return self._file.read(LARGEST_READ if size is None or size < 0 else size)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True


@contextlib.contextmanager
def opened(source: str | Path | BinaryIO) -> Iterator[tuple[zipfile.ZipFile, str, int]]:
    """The archive, its name for messages and its size in bytes.

    Raises InvalidInput when there is no such file, UnsupportedFormat when it is no zip or breaks off while it is read.
    """
    with contextlib.ExitStack() as files:
        if isinstance(source, str | Path):
            name, file = Path(source).name, files.enter_context(_open(Path(source)))
        else:
            name, file = Path(str(getattr(source, "name", "The archive"))).name, source
        size = file.seek(0, os.SEEK_END)
        with _told(name):
            yield files.enter_context(zipfile.ZipFile(Bounded(file))), name, size


def copy(archive: zipfile.ZipFile, entry: Entry, target: Path, on_bytes: Callable[[int], None]) -> str:
    """Unpack one entry, block by block; the digest of what came out.

    Raises UnsupportedFormat when more or less comes out than the entry declares.
    """
    hasher, count = hashlib.blake2b(digest_size=16), 0
    with archive.open(entry) as packed, target.open("xb") as file:
        while block := packed.read(BLOCK):
            count += len(block)
            if count > entry.file_size:
                break
            hasher.update(block)
            file.write(block)
            on_bytes(len(block))
    if count != entry.file_size:
        raise UnsupportedFormat(
            f"The archive was not added: its entry {shown(entry)} unpacks to another size than it declares."
        )
    return hasher.hexdigest()


def _open(path: Path) -> BinaryIO:
    if not path.is_file():
        raise InvalidInput(f"{path} is {'not a file' if path.exists() else 'not there'}; expected a zip of runs.")
    try:
        return path.open("rb")
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read ({error.strerror}).") from None


@contextlib.contextmanager
def _told(name: str) -> Iterator[None]:
    """What zipfile raises for a damaged file, as one sentence."""
    try:
        yield
    except InvalidInput:  # a ValueError too
        raise
    except _DAMAGE as error:
        raise UnsupportedFormat(f"{name} is no zip, or a damaged one ({ascii(str(error))[1:-1][:120]}).") from None

"""The first line of delimited text, and what is often wrong with it."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import BinaryIO

from nearid_core.errors import UnsupportedFormat
from nearid_core.exchange.readers.text_blocks import BLOCK

_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}


def first_line(path: Path, file: BinaryIO) -> bytes:
    """The first bytes of the text, with the whole first line and some of what follows, to tell the encoding."""
    start = bytearray()
    while more := file.read(1 << 16):
        start += more
        if b"\n" in more:
            break
        if len(start) > BLOCK:
            raise UnsupportedFormat(f"{path.name} has a first line of more than {BLOCK >> 20} MiB.")
    return bytes(start)


def check_header(path: Path, start: bytes, delimiter: str) -> list[str]:
    """The column names.

    start : the text up to the end of the first line at least; see `first_line`.

    Raises UnsupportedFormat for another encoding, another delimiter, or a first line that is not a header.
    """
    if not start:
        raise UnsupportedFormat(f"{path.name} is empty: it unpacks to no bytes.")
    text = _decoded(path, start)
    line = text.split("\n", 1)[0].rstrip("\r")
    if not line:
        raise UnsupportedFormat(f"{path.name} begins with an empty line; expected the names of its columns.")
    _check_delimiter(path, line, delimiter)
    names = next(csv.reader([line], delimiter=delimiter))
    _check_names(path, names)
    return names


def _decoded(path: Path, start: bytes) -> str:
    for mark, name in ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16")):
        if start.startswith(mark):
            raise UnsupportedFormat(f"{path.name} is encoded as {name}; save it as UTF-8.")
    if b"\x00" in start:
        raise UnsupportedFormat(f"{path.name} is not text: it holds zero bytes; is it another kind of file, renamed?")
    cut = start[: start.rfind(b"\n") + 1] or start  # not in the middle of a character
    try:
        return cut.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnsupportedFormat(
            f"{path.name} is not UTF-8: its byte {error.start + 1} is {cut[error.start]:#04x}, as in Latin-1 or "
            f"Windows-1252; save it as UTF-8."
        ) from None


def _check_delimiter(path: Path, line: str, delimiter: str) -> None:
    counts = {other: line.count(other) for other in _DELIMITERS}
    most = max(counts, key=lambda other: counts[other])
    if counts[most] > counts[delimiter] and counts[delimiter] == 0:
        cure = "rename it to end in .tsv" if most == "\t" else f"save it with {_DELIMITERS[delimiter]}"
        raise UnsupportedFormat(
            f"{path.name} is separated by {_DELIMITERS[most]}, its name says {_DELIMITERS[delimiter]}; {cure}."
        )


def _check_names(path: Path, names: list[str]) -> None:
    if not all(_is_number(name) for name in names) or names == [str(j) for j in range(len(names))]:
        return
    raise UnsupportedFormat(
        f"{path.name} has no header: its first line is numbers ({', '.join(names[:3])}, ...); put the names of the "
        f"columns there, or save the numbers with numpy.save."
    )


def _is_number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True

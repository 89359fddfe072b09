"""Delimited text in blocks that end where a line does.

Arrow can read a file by itself, but it does so from threads of its own, and an exception that a Python file raises in
one of them can bring the process down. Here Python reads, and Arrow only ever sees bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from nearid_core.errors import UnsupportedFormat

BLOCK = 32 << 20  # bytes; also the longest line that is read


def text_blocks(path: Path, file: BinaryIO) -> Iterator[bytes]:
    """Blocks of whole lines; a line end between quotes ends no line.

    Raises UnsupportedFormat for a line longer than a block.
    """
    rest = b""
    while more := file.read(BLOCK):
        text = rest + more
        end = _end_of_lines(text)
        if end:
            yield text[:end]
        rest = text[end:]
        if len(rest) > BLOCK:
            raise UnsupportedFormat(
                f"{path.name} has a line of more than {BLOCK >> 20} MiB; expected one line a sample. Is a quote "
                "not closed?"
            )
    if rest:
        yield rest


def _end_of_lines(text: bytes) -> int:
    """Just behind the last line end that is not between quotes; 0 where there is none."""
    quotes, end = text.count(b'"'), len(text)
    while (line_end := text.rfind(b"\n", 0, end)) >= 0:
        quotes -= text.count(b'"', line_end, end)
        if quotes % 2 == 0:
            return line_end + 1
        end = text.rfind(b'"', 0, line_end)  # the quote that is open here
        quotes -= 1
    return 0

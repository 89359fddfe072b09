"""The header of a .npy file, believed only as far as the bytes behind it go."""

from __future__ import annotations

import math
import tokenize
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.lib import format as npy

from nearid_core.errors import UnsupportedFormat

_LONGEST_HEADER = 10_000  # numpy's own limit, beyond which parsing it can take very long


@dataclass(frozen=True)
class NpyHeader:
    """offset : bytes before the numbers."""

    shape: tuple[int, ...]
    fortran: bool
    dtype: np.dtype
    offset: int

    @property
    def nbytes(self) -> int:
        return math.prod(self.shape) * self.dtype.itemsize


def read_npy_header(
    file: BinaryIO, path: Path, what: str, size: int, dimensions: tuple[int, ...] = (1, 2)
) -> NpyHeader:
    """The header at the file's position.

    what : the array's name in a message; size : bytes that header and numbers have together; dimensions : how many
    it may have.

    Raises UnsupportedFormat where it holds objects (a pickle), is cut off, or is not a matrix or a column of numbers.
    """
    try:
        version = npy.read_magic(file)
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, fortran, dtype = read(file, max_header_size=_LONGEST_HEADER)
    except (ValueError, EOFError, TypeError, SyntaxError, tokenize.TokenError, RecursionError, MemoryError):
        raise UnsupportedFormat(f"{what} of {path.name} is cut off or damaged: its header cannot be read.") from None
    header = NpyHeader(tuple(int(side) for side in shape), fortran, dtype, file.tell())
    _check(header, path, what, size, dimensions)
    return header


def _check(header: NpyHeader, path: Path, what: str, size: int, dimensions: tuple[int, ...]) -> None:
    if header.dtype.hasobject:
        raise UnsupportedFormat(
            f"{what} of {path.name} holds Python objects, which can run code when they are opened; save it as numbers "
            f"or text, such as array.astype(str)."
        )
    if header.dtype.kind not in "fiubU" or header.dtype.itemsize == 0:
        raise UnsupportedFormat(
            f"{what} of {path.name} has type {header.dtype}; expected real numbers, or text for ids and labels."
        )
    if min(header.shape, default=0) < 0 or header.nbytes != size - header.offset:
        raise UnsupportedFormat(
            f"{what} of {path.name} is cut off or damaged: its shape {header.shape} of {header.dtype} needs "
            f"{header.nbytes:,} bytes, and there are {size - header.offset:,}."
        )
    if len(header.shape) not in dimensions:
        raise UnsupportedFormat(
            f"{what} of {path.name} has shape {header.shape}; expected a matrix with one row a sample: reshape or pool "
            f"it first."
        )

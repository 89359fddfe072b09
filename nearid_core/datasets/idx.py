"""IDX files, the format of MNIST, gzipped or plain.

Source: Y. LeCun, C. Cortes and C. Burges, The MNIST database, http://yann.lecun.com/exdb/mnist.
"""

from __future__ import annotations

import gzip
import math
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO

import numpy as np

from nearid_core.errors import InvalidInput, UnsupportedFormat

IMAGES, LABELS = 2051, 2049  # magic numbers: unsigned bytes in three dimensions, and in one
_DIMENSIONS = {IMAGES: 3, LABELS: 1}
_GZIP = b"\x1f\x8b"
_LARGEST_SIDE = 1024  # pixels
_LARGEST = 4 << 30  # bytes of numbers
_BLOCK = 1 << 20


def read_idx(path: Path, magic: int) -> np.ndarray:
    """The array of an IDX file, uint8: images (n, height, width), labels (n,).

    magic : IMAGES or LABELS, whichever the file has to be.

    The header is held against the size of the file before anything of the declared size is allocated, or against what
    comes out of gzip while it comes out.

    Raises InvalidInput when the file cannot be read, UnsupportedFormat when it is not what its header says.
    """
    try:
        with path.open("rb") as file:
            packed = file.read(2) == _GZIP
        unpacked: Callable[[Path], IO[bytes]] = gzip.open if packed else _open  # type: ignore[assignment]
        with unpacked(path) as file:
            shape = _read_shape(path, file, magic)
            if not packed:
                _check_size(path, shape, path.stat().st_size - file.tell())
            return _read_numbers(path, file, shape)
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise UnsupportedFormat(
            f"{path.name} is cut off or damaged: its gzip data breaks off; copy it again."
        ) from None
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read ({error.strerror or error}).") from None


def _open(path: Path) -> IO[bytes]:
    return path.open("rb")


def _read_shape(path: Path, file: IO[bytes], magic: int) -> tuple[int, ...]:
    header = file.read(4 + 4 * _DIMENSIONS[magic])
    found = int.from_bytes(header[:4], "big")
    if found != magic:
        raise UnsupportedFormat(
            f"{path.name} begins with {found}; expected {magic}, which is how IDX "
            f"{'images' if magic == IMAGES else 'labels'} begin."
        )
    if len(header) < 4 + 4 * _DIMENSIONS[magic]:
        raise UnsupportedFormat(f"{path.name} is cut off in its header; copy it again.")
    shape = tuple(int(side) for side in np.frombuffer(header, ">u4", offset=4))
    if 0 in shape or max(shape[1:], default=1) > _LARGEST_SIDE or math.prod(shape) > _LARGEST:
        raise UnsupportedFormat(f"{path.name} says that its shape is {shape}, which no set of small images has.")
    return shape


def _check_size(path: Path, shape: tuple[int, ...], found: int) -> None:
    if found != math.prod(shape):
        raise UnsupportedFormat(
            f"{path.name} holds {found:,} bytes of numbers, its header says {math.prod(shape):,} for the shape "
            f"{shape}; it is cut off or damaged, so copy it again."
        )


def _read_numbers(path: Path, file: IO[bytes], shape: tuple[int, ...]) -> np.ndarray:
    """In blocks, so that memory follows what is there and not what the header says."""
    declared, numbers = math.prod(shape), bytearray()
    while len(numbers) <= declared and (block := file.read(_BLOCK)):
        numbers += block
    _check_size(path, shape, len(numbers))
    return np.frombuffer(numbers, np.uint8).reshape(shape)

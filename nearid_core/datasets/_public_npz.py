"""dSprites and MPI3D: numpy arrays in a zip archive, of which only some rows are unpacked."""

from __future__ import annotations

import math
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np

from nearid_core.datasets._public_file import PublicFile, Rows, check_images, codes_of, grid
from nearid_core.errors import UnsupportedFormat
from nearid_core.exchange.readers.limits import check_expansion
from nearid_core.exchange.readers.npy_header import NpyHeader, read_npy_header

DSPRITES = {"shape": 3, "scale": 6, "orientation": 40, "x": 32, "y": 32}
MPI3D = {
    "object_color": 6,
    "object_shape": 6,
    "object_size": 2,
    "camera_height": 3,
    "background_color": 3,
    "horizontal_axis": 40,
    "vertical_axis": 40,
}
MPI3D_COMPLEX = MPI3D | {"object_color": 4, "object_shape": 4}  # the real photographs of everyday objects
_BLOCK = 512  # images


def open_dsprites(path: Path) -> PublicFile:
    """Its member ``metadata`` is a pickle and never opened. The factor colour has one value and is left out."""
    total = math.prod(DSPRITES.values())
    with _archive(path) as archive:
        images = _header(path, archive, "imgs")
        check_images(path, images.shape, images.dtype, (total, 64, 64))
        classes = _whole(path, archive, "latents_classes", total * (len(DSPRITES) + 1) * 8)
    codes = codes_of(path, classes[:, 1:] if classes.ndim == 2 else classes, DSPRITES)
    return PublicFile(codes, tuple(DSPRITES), 64, 1, _rows(path, "imgs", images), white=1)


def open_mpi3d(path: Path) -> PublicFile:
    """The images alone: their order is the code."""
    with _archive(path) as archive:
        images = _header(path, archive, "images")
    few = images.shape[:1] == (math.prod(MPI3D_COMPLEX.values()),)
    sizes = MPI3D_COMPLEX if few else MPI3D
    check_images(path, images.shape, images.dtype, (math.prod(sizes.values()), 64, 64, 3))
    return PublicFile(grid(sizes), tuple(sizes), 64, 3, _rows(path, "images", images))


def _rows(path: Path, name: str, header: NpyHeader) -> Rows:
    def blocks(rows: np.ndarray) -> Iterator[np.ndarray]:
        with _archive(path) as archive:
            member = _member(path, archive, name)
            if member.compress_type == zipfile.ZIP_STORED:
                yield from _mapped(path, member, header, rows)
            else:
                with archive.open(member) as file:
                    yield from _streamed(cast(BinaryIO, file), header, rows)

    return blocks


def _mapped(path: Path, member: zipfile.ZipInfo, header: NpyHeader, rows: np.ndarray) -> Iterator[np.ndarray]:
    """Of a member that is not compressed, by going to the place of each row."""
    with path.open("rb") as file:
        file.seek(member.header_offset + 26)  # of the two lengths in the member's own header, which may differ
        lengths = np.frombuffer(file.read(4), "<u2")
    start = member.header_offset + 30 + int(lengths.sum()) + header.offset
    every = np.memmap(path, header.dtype, "r", start, header.shape)
    for first in range(0, len(rows), _BLOCK):
        yield _channelled(every[rows[first : first + _BLOCK]])


def _streamed(file: BinaryIO, header: NpyHeader, rows: np.ndarray) -> Iterator[np.ndarray]:
    """Of a compressed member, by unpacking it block by block as far as the last of the rows."""
    file.read(header.offset)
    row_bytes = header.nbytes // header.shape[0]
    for start in range(0, int(rows[-1]) + 1, _BLOCK):
        count = min(_BLOCK, header.shape[0] - start)
        data = file.read(count * row_bytes)
        if len(data) < count * row_bytes:
            raise EOFError("unexpected end")
        wanted = rows[(rows >= start) & (rows < start + count)]
        if len(wanted):
            block = np.frombuffer(data, header.dtype).reshape(count, *header.shape[1:])
            yield _channelled(block[wanted - start])


def _channelled(block: np.ndarray) -> np.ndarray:
    return block if block.ndim == 4 else block[..., None]


def _whole(path: Path, archive: zipfile.ZipFile, name: str, most: int) -> np.ndarray:
    """A member that is small; most : bytes that its numbers may have."""
    header = _header(path, archive, name)
    if header.nbytes > most:
        raise UnsupportedFormat(
            f"{name} of {path.name} has {header.nbytes:,} bytes; the published file has {most:,} or fewer."
        )
    with archive.open(_member(path, archive, name)) as file:
        file.read(header.offset)
        return np.frombuffer(file.read(header.nbytes), header.dtype).reshape(header.shape)


def _header(path: Path, archive: zipfile.ZipFile, name: str) -> NpyHeader:
    member = _member(path, archive, name)
    check_expansion(path, member.file_size, path.stat().st_size)
    with archive.open(member) as file:
        header = read_npy_header(cast(BinaryIO, file), path, f"Array {name!r}", member.file_size, dimensions=(2, 3, 4))
    if header.fortran:
        raise UnsupportedFormat(f"Array {name!r} of {path.name} is stored column by column; the published one is not.")
    return header


def _member(path: Path, archive: zipfile.ZipFile, name: str) -> zipfile.ZipInfo:
    try:
        return archive.getinfo(f"{name}.npy")
    except KeyError:
        there = ", ".join(one.removesuffix(".npy") for one in archive.namelist()[:6]) or "nothing"
        raise UnsupportedFormat(
            f"{path.name} holds no array {name!r}, only {there}; expected the published file."
        ) from None


@contextmanager
def _archive(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError) as error:
        if isinstance(error, UnsupportedFormat):
            raise
        raise UnsupportedFormat(
            f"{path.name} is cut off or damaged, and cannot be read as npz ({error}); copy it again."
        ) from None

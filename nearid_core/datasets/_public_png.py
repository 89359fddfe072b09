"""Falcor3D and Isaac3D: a folder of PNG files, numbered, and one array with the values of their factors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from nearid_core.datasets._public_file import PublicFile, codes_of
from nearid_core.errors import UnsupportedFormat
from nearid_core.exchange.readers.npy_header import read_npy_header

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

FALCOR3D = {
    "lighting_intensity": 5,
    "lighting_x": 6,
    "lighting_y": 6,
    "lighting_z": 6,
    "camera_x": 6,
    "camera_y": 6,
    "camera_z": 6,
}
ISAAC3D = {
    "object_shape": 3,
    "robot_x": 8,
    "robot_y": 5,
    "camera_height": 4,
    "object_scale": 4,
    "lighting_intensity": 4,
    "lighting_y": 6,
    "object_color": 4,
    "wall_color": 4,
}
_LARGEST_SIDE = 1024  # pixels, of the full-size release
_BLOCK = 128  # images
_LONGEST_LABEL = 16  # bytes


def open_falcor3d(path: Path) -> PublicFile:
    return _open(path / "train-rec.labels", FALCOR3D)


def open_isaac3d(path: Path) -> PublicFile:
    return _open(path / "labels.npy", ISAAC3D)


def _open(labels: Path, sizes: Mapping[str, int]) -> PublicFile:
    """labels : an npy file whatever it is called; beside it, ``images/000000.png`` and so on, a row each."""
    codes = codes_of(labels, _read_labels(labels), sizes)
    images = labels.parent / "images"
    side = _side(images / "000000.png")

    def blocks(rows: np.ndarray) -> Iterator[np.ndarray]:
        for start in range(0, len(rows), _BLOCK):
            yield np.stack([_read_png(images / f"{row:06d}.png", side) for row in rows[start : start + _BLOCK]])

    return PublicFile(codes, tuple(sizes), side, 3, blocks)


def _read_labels(path: Path) -> np.ndarray:
    try:
        with path.open("rb") as file:
            header = read_npy_header(file, path, "The array", path.stat().st_size)
            if header.dtype.kind not in "fiu" or header.fortran or header.dtype.itemsize > _LONGEST_LABEL:
                raise UnsupportedFormat(f"{path} holds {header.dtype}; the published file holds numbers, row by row.")
            return np.frombuffer(file.read(), header.dtype).reshape(header.shape)
    except OSError as error:
        raise UnsupportedFormat(f"{path} cannot be read ({error.strerror or error}); copy it again.") from None


def _side(path: Path) -> int:
    width, height = _png(path).size
    if width != height or width > _LARGEST_SIDE:
        raise UnsupportedFormat(
            f"{path} has {width} x {height} pixels; the published images are square, of {_LARGEST_SIDE} or fewer."
        )
    return width


def _read_png(path: Path, side: int) -> np.ndarray:
    """(side, side, 3) uint8."""
    with _png(path) as image:
        if image.size != (side, side):
            raise UnsupportedFormat(f"{path} has {image.width} x {image.height} pixels, and the first image {side}.")
        try:
            return np.asarray(image.convert("RGB"))
        except (OSError, SyntaxError, ValueError) as error:
            raise UnsupportedFormat(f"{path} is cut off or damaged ({error}); copy it again.") from None


def _png(path: Path) -> ImageFile:
    """Opened, and its pixels not read yet."""
    from PIL import Image

    try:
        return Image.open(path, formats=["PNG"])
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        what = "is no PNG image" if path.is_file() else "is not there"
        raise UnsupportedFormat(
            f"{path} {what}; expected an image for each row of the labels: copy the folder again."
        ) from None

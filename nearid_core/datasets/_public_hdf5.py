"""Shapes3D: HDF5 with images and the values of their factors."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from nearid_core.datasets._public_file import PublicFile, check_images, codes_of
from nearid_core.errors import NearIdError, UnsupportedFormat

SHAPES3D = {"floor_hue": 10, "wall_hue": 10, "object_hue": 10, "scale": 8, "shape": 4, "azimuth": 15}
_SIDE = 64
_LARGEST_CHUNK = 1 << 28  # bytes, which are unpacked at once


def open_shapes3d(path: Path) -> PublicFile:
    total = math.prod(SHAPES3D.values())
    with _opened(path) as file:
        check_images(path, file["images"].shape, file["images"].dtype, (total, _SIDE, _SIDE, 3))
        step = _chunk_rows(path, file["images"])
        labels = file["labels"]
        if labels.shape != (total, len(SHAPES3D)) or labels.dtype.kind not in "fiu":
            raise UnsupportedFormat(
                f"The labels of {path.name} have shape {labels.shape} and type {labels.dtype}; the published ones "
                f"have {(total, len(SHAPES3D))} of numbers."
            )
        codes = codes_of(path, labels[:], SHAPES3D)

    def blocks(rows: np.ndarray) -> Iterator[np.ndarray]:
        with _opened(path) as file:
            images = file["images"]
            for here in np.split(rows, np.flatnonzero(np.diff(rows // step)) + 1):
                yield images[here[0] : here[-1] + 1][here - here[0]]

    return PublicFile(codes, tuple(SHAPES3D), _SIDE, 3, blocks)


def _chunk_rows(path: Path, images: Any) -> int:
    """How many images are unpacked together, and so are read together."""
    if images.chunks is None:
        return 1
    chunk = math.prod(images.chunks)
    if chunk > _LARGEST_CHUNK:
        raise UnsupportedFormat(
            f"{path.name} is cut into chunks of {chunk:,} bytes; at most {_LARGEST_CHUNK:,} are read."
        )
    return images.chunks[0]


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    import h5py

    from nearid_core.exchange.readers.h5ad_file import check_links

    try:
        with h5py.File(path, "r") as file:
            check_links(path, file)
            lacking = [name for name in ("images", "labels") if not isinstance(file.get(name), h5py.Dataset)]
            if lacking:
                there = ", ".join(list(file)[:6]) or "nothing"
                raise UnsupportedFormat(
                    f"{path.name} holds no {' and no '.join(lacking)}, only {there}; expected the published file."
                )
            yield file
    except NearIdError:
        raise
    except Exception as error:  # h5py raises many types for a damaged file; none of them is ours
        reason = str(error).splitlines()[0][:160] if str(error) else type(error).__name__
        raise UnsupportedFormat(
            f"{path.name} is cut off or damaged, and cannot be read as HDF5 ({reason}); copy it again."
        ) from None

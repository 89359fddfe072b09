"""What a public file of images with known factors has to be, and what is read of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nearid_core.errors import UnsupportedFormat

Rows = Callable[[np.ndarray], Iterator[np.ndarray]]


@dataclass(frozen=True, eq=False)
class PublicFile:
    """An open file: all that is known of every image, and the images where they are asked for.

    codes : (images, factors) integers from 0, the place of each factor's value among its values in ascending order.
    names : of the factors.
    side, channels : of an image.
    blocks : rows, ascending, to blocks (n, side, side, channels) of their images in that order, uint8.
    white : what a pixel is at most.
    """

    codes: np.ndarray
    names: tuple[str, ...]
    side: int
    channels: int
    blocks: Rows
    white: int = 255

    def __len__(self) -> int:
        return len(self.codes)


def grid(sizes: Mapping[str, int]) -> np.ndarray:
    """(images, factors) codes where every combination is there once and the last factor changes fastest."""
    return np.stack(np.unravel_index(np.arange(math.prod(sizes.values())), tuple(sizes.values())), axis=1)


def codes_of(path: Path, values: np.ndarray, sizes: Mapping[str, int]) -> np.ndarray:
    """The place of each value among those of its factor, (images, factors).

    values : (images, factors), whatever the file calls them.

    Raises UnsupportedFormat unless each factor has as many values as it should, and every combination is there once.
    """
    if values.ndim != 2 or values.shape[1] != len(sizes):
        raise UnsupportedFormat(
            f"{path.name} has factors of shape {values.shape}; expected {len(sizes)} columns: {', '.join(sizes)}."
        )
    columns = [np.unique(column, return_inverse=True) for column in values.T]
    for (name, size), (found, _) in zip(sizes.items(), columns, strict=True):
        if len(found) != size:
            raise UnsupportedFormat(f"{path.name} has {len(found)} values of {name}; the published file has {size}.")
    codes = np.stack([place.reshape(-1) for _, place in columns], axis=1)
    combinations = np.ravel_multi_index(tuple(codes.T), tuple(sizes.values()))
    expected = math.prod(sizes.values())
    if len(codes) != expected or len(np.unique(combinations)) != expected:
        raise UnsupportedFormat(
            f"{path.name} has {len(codes):,} images of {len(np.unique(combinations)):,} combinations of factors; the "
            f"published file has each of {expected:,} once."
        )
    return codes


def check_images(path: Path, shape: tuple[int, ...], dtype: np.dtype, expected: tuple[int, ...]) -> None:
    """Refuse images of another number, size or type than the published ones."""
    if shape != expected or dtype != np.uint8:
        raise UnsupportedFormat(
            f"The images of {path.name} have shape {shape} and type {dtype}; the published ones have {expected} of "
            f"uint8."
        )

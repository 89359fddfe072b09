"""Smaller images, each pixel the mean of the area it covers."""

from __future__ import annotations

import numpy as np


def area_mean(images: np.ndarray, side: int) -> np.ndarray:
    """(n, height, width, channels) to (n, channels, side, side) float32, in the same units.

    A pixel of the image that lies in two of the smaller ones counts in each by its share.
    """
    down, across = (area_weights(extent, side) for extent in images.shape[1:3])
    channels_first = np.moveaxis(images, -1, 1).astype(np.float32)
    return down @ channels_first @ across.T


def area_weights(extent: int, side: int) -> np.ndarray:
    """(side, extent) float32: the share that each of `extent` pixels has in each of `side` ones; rows sum to 1."""
    edges = np.linspace(0, extent, side + 1)
    before, after = edges[:-1, None], edges[1:, None]
    pixels = np.arange(extent)
    overlap = np.minimum(after, pixels + 1) - np.maximum(before, pixels)
    return (np.clip(overlap, 0, None) * side / extent).astype(np.float32)

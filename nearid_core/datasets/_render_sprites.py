"""A white shape on black, between an ellipse and a rectangle."""

from __future__ import annotations

import numpy as np

FACTORS = ("x", "y", "scale", "orientation", "roundness")
SIDE = 32
ASPECT = 1.6  # of the axes

_AT = (np.arange(SIDE, dtype=np.float32) + 0.5) / SIDE


def render_sprites(factors: np.ndarray) -> np.ndarray:
    """(n, 5) in [0, 1] to (n, 1, 32, 32) float32 in [0, 1].

    x, y : the centre moves over 40 % of the image; scale : the radius from .12 to .22 of it; orientation : a quarter
    turn; roundness : 1 is an ellipse, 0 nearly a rectangle (superellipses of exponent 8 to 2).
    """
    x, y, scale, orientation, roundness = np.asarray(factors, dtype=np.float32).T[:, :, None, None]
    radius = 0.12 + 0.10 * scale
    long, short = radius * np.sqrt(ASPECT), radius / np.sqrt(ASPECT)
    angle = np.pi / 2 * (orientation - 0.5)
    across, down = _AT[None, None, :] - (0.3 + 0.4 * x), _AT[None, :, None] - (0.3 + 0.4 * y)
    along = np.abs(np.cos(angle) * across + np.sin(angle) * down) / long
    beside = np.abs(np.cos(angle) * down - np.sin(angle) * across) / short
    exponent = 8 - 6 * np.sqrt(roundness.clip(0, 1))
    border = _power_sum(along, beside, exponent) ** (1 / exponent)
    # the distance to the border, about, in pixels: one pixel from inside to outside
    return np.clip(0.5 + SIDE * short * (1 - border), 0, 1)[:, None]


def _power_sum(a: np.ndarray, b: np.ndarray, exponent: np.ndarray) -> np.ndarray:
    """a^exponent + b^exponent, by the logarithm of what is never 0."""
    return np.exp(exponent * np.log(a + 1e-6)) + np.exp(exponent * np.log(b + 1e-6))

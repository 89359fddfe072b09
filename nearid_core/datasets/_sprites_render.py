"""White superellipses on black, with edges one pixel wide."""

from __future__ import annotations

import numpy as np

SIDE = 32
FACTORS = ("x", "y", "scale", "orientation", "roundness")
ASPECT = 1.6  # long over short axis: a sprite that is as wide as high would have no orientation when round
_CENTRES = (np.arange(SIDE, dtype=np.float32) + 0.5) / SIDE  # of pixels; 0 and 1 are the image's borders


def render(factors: np.ndarray) -> np.ndarray:
    """(n, 5) in the order of FACTORS, in [0, 1], to (n, 1, 32, 32) float32 in [0, 1].

    x and y move the centre over the middle two fifths, scale goes from 0.12 to 0.21 of the side, orientation over a
    quarter turn (half of what would bring an oblong back to itself), roundness from nearly a rectangle to an ellipse.
    No factor takes a part of the sprite out of the image.
    """
    x, y, scale, orientation, roundness = np.asarray(factors, np.float32).T[:, :, None, None]
    radius = 0.12 + 0.09 * scale
    long, short = radius * np.float32(np.sqrt(ASPECT)), radius / np.float32(np.sqrt(ASPECT))
    turn = np.float32(np.pi / 2) * (orientation - 0.5)
    power = 2 * np.float32(4) ** (1 - roundness)
    across = _CENTRES[None, None, :] - (0.3 + 0.4 * x)
    down = _CENTRES[None, :, None] - (0.3 + 0.4 * y)
    along = (np.cos(turn) * across + np.sin(turn) * down) / long
    aside = (np.cos(turn) * down - np.sin(turn) * across) / short
    return _coverage(along, aside, power, (long, short))[:, None]


def _coverage(
    along: np.ndarray, aside: np.ndarray, power: np.ndarray, axes: tuple[np.ndarray, np.ndarray]
) -> np.ndarray:
    """Share of each pixel within |along|^p + |aside|^p < 1, from the distance to the border to first order."""
    log_a, log_b = np.log(np.abs(along) + 1e-6), np.log(np.abs(aside) + 1e-6)
    to_a, to_b = np.exp(power * log_a), np.exp(power * log_b)
    total = to_a + to_b
    level = np.exp(np.log(total) / power)  # 1 on the border and proportional to the distance from the centre
    steep = [to * np.exp(-log) / axis for to, log, axis in zip((to_a, to_b), (log_a, log_b), axes, strict=True)]
    slope = level / total * np.sqrt(steep[0] ** 2 + steep[1] ** 2)
    return np.clip(0.5 + SIDE * (1 - level) / slope, 0, 1)

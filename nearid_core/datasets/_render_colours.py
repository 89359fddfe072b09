"""Hues at a constant speed around the grey axis."""

from __future__ import annotations

import numpy as np

_PHASES = 2 * np.pi / 3 * np.arange(3, dtype=np.float32)


def hue(turns: np.ndarray, saturation: float) -> np.ndarray:
    """(n,) turns to (n, 3) in [0, 1]: a circle in RGB, so that equal steps of hue are equal distances of colour."""
    angle = 2 * np.pi * np.asarray(turns, dtype=np.float32)[:, None]
    return (0.5 + saturation * np.cos(angle - _PHASES)).astype(np.float32)

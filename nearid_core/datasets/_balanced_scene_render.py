"""A flat picture of a room in which every factor causes the same pixel variance, nearly linearly."""

from __future__ import annotations

import numpy as np

SIDE = 32
FACTORS = ("floor_hue", "wall_hue", "object_hue", "scale", "shape", "azimuth")
EDGE = 1.2  # pixels over which an edge goes from one colour to the other

# Half ranges about the middle, hues in turns: `factor_energy.factor_energies` are within 1% under the uniform law
FLOOR_HUE, WALL_HUE, OBJECT_HUE = 0.1958, 0.1367, 0.1443
SCALE, SHAPE, AZIMUTH = 0.0522, 0.3448, 0.36
SHADE = 0.25  # how much darker the wall on the right is

_CENTRES = (np.arange(SIDE, dtype=np.float32) + 0.5) / SIDE
_ACROSS, _DOWN = _CENTRES[None, None, :], _CENTRES[None, :, None]
_PHASES = np.array([0, 2 / 3, 4 / 3], dtype=np.float32) * np.float32(np.pi)


def render(factors: np.ndarray) -> np.ndarray:
    """(n, 6) in the order of FACTORS, in [0, 1], to (n, 3, 32, 32) float32 in [0, 1].

    The corner of the room goes sideways with azimuth; the object is a superellipse, and shape how wide for its height.
    """
    about = np.asarray(factors, np.float32).T * 2 - 1
    scale, shape, azimuth = about[3:, :, None, None]
    corner = 0.5 + AZIMUTH * azimuth
    floor = _inside(_DOWN - 0.55 - 0.22 * np.abs(_ACROSS - corner))[:, None]
    side = _inside(_ACROSS - corner)[:, None]
    radius, wide = 0.215 + SCALE * scale, np.exp(SHAPE * shape)
    width, height = radius * wide, radius / wide
    level = ((np.abs(_ACROSS - 0.5) / width) ** 2.5 + (np.abs(_DOWN - 0.62) / height) ** 2.5) ** np.float32(0.4)
    thing = _inside((1 - level) * np.minimum(width, height))[:, None]
    wall = _colour(0.25 + WALL_HUE * about[1], 0.25) - np.float32(SHADE) * side
    room = floor * _colour(0.25 + FLOOR_HUE * about[0], 0.25) + (1 - floor) * wall
    return np.clip(thing * _colour(0.75 + OBJECT_HUE * about[2], 0.45) + (1 - thing) * room, 0, 1)


def _inside(distance: np.ndarray) -> np.ndarray:
    """0 to 1 across an edge; distance : to it, in sides of the image, positive inside."""
    return np.clip(0.5 + distance * np.float32(SIDE / EDGE), 0, 1)


def _colour(hue: np.ndarray, radius: float) -> np.ndarray:
    """(n, 3, 1, 1) on a circle of this radius about grey, so that equal steps of hue are equal steps of colour."""
    turns = 2 * np.float32(np.pi) * hue[:, None] - _PHASES
    return (0.5 + np.float32(radius) * np.cos(turns))[:, :, None, None]

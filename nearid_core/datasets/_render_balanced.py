"""A room in which every factor moves the pixels about equally, along nearly straight lines: a favourable case."""

from __future__ import annotations

import numpy as np

from nearid_core.datasets._render_colours import hue

FACTORS = ("floor_hue", "wall_hue", "object_hue", "scale", "shape", "azimuth")
SIDE = 32
ARC = 0.5  # of the circle, that each hue covers
EDGE = 1.2  # width of an edge, pixels
EXPONENT = 2.5  # of the superellipse

_AT = (np.arange(SIDE, dtype=np.float32) + 0.5) / SIDE


def render_balanced_scene(factors: np.ndarray) -> np.ndarray:
    """(n, 6) in [0, 1] to (n, 3, 32, 32) float32 in [0, 1].

    Hues run over half of the circle; scale and shape are the size and the aspect of the object; the corner of the room
    wanders with the azimuth.
    """
    floor, wall, thing, scale, shape, azimuth = np.asarray(factors, dtype=np.float32).T
    corner = 0.2 + 0.6 * azimuth[:, None, None]
    horizon = 0.55 + 0.22 * np.abs(_AT[None, None, :] - corner)
    is_floor = _edge(_AT[None, :, None] - horizon)[:, None]
    is_side = _edge(_AT[None, None, :] - corner)[:, None]
    room = is_floor * _paint(hue(ARC * floor, 0.25)) + (1 - is_floor) * (_paint(hue(ARC * wall, 0.25)) - 0.22 * is_side)
    is_object = _object(scale[:, None, None], shape[:, None, None])[:, None]
    image = is_object * _paint(hue(ARC * thing + 0.5, 0.45)) + (1 - is_object) * room
    return np.clip(image, 0, 1)


def _object(scale: np.ndarray, shape: np.ndarray) -> np.ndarray:
    radius, aspect = 0.15 + 0.13 * scale, np.exp(0.9 * (shape - 0.5))
    wide, high = radius * aspect, radius / aspect
    across, down = np.abs(_AT[None, None, :] - 0.5) / wide, np.abs(_AT[None, :, None] - 0.62) / high
    border = (across**EXPONENT + down**EXPONENT) ** (1 / EXPONENT)
    return _edge((1 - border) * np.minimum(wide, high))


def _edge(distance: np.ndarray) -> np.ndarray:
    """0 to 1 across a border; distance : to it, in sides of the image."""
    return np.clip(0.5 + distance * SIDE / EDGE, 0, 1)


def _paint(colour: np.ndarray) -> np.ndarray:
    return colour[:, :, None, None]

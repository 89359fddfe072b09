"""Solids that stand in the middle of the room, lit by one lamp."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from nearid_core.datasets._scene_camera import (
    DISTANCE,
    HEIGHT,
    ORIGIN,
    beside,
    linear,
    quadratic,
    turned,
    within,
)

LAMP = np.array([0.4, 0.75, 0.53], dtype=np.float32)  # direction towards it, in the room
DARK, LIT = 0.55, 0.45  # brightness in the shade, and what the lamp adds where it stands overhead


class Seen(NamedTuple):
    """cover : (n, pixels) share of each pixel that the solid fills; light : the same, times its brightness there."""

    cover: np.ndarray
    light: np.ndarray


def ellipsoid(width: np.ndarray, height: np.ndarray, azimuth: np.ndarray) -> Seen:
    """width, height : (n,) half axes; it stands on the floor."""
    cover = within(_outline(width, height))
    return Seen(cover, cover * _brightness(width, height, azimuth))


def cylinder(radius: np.ndarray, height: np.ndarray, azimuth: np.ndarray) -> Seen:
    """height : below that of the camera, so that the top is seen."""
    cap, foot = within(_disc(radius, height)), within(_disc(radius, 0 * height))
    touch = radius**2 / DISTANCE  # z of the lines in which planes through the camera touch the cylinder
    sine = radius / DISTANCE
    cosine, none = np.sqrt(1 - sine**2), 0 * sine
    left, right = (beside(np.stack([side * cosine, none, -sine], axis=-1)) for side in (1, -1))
    above = beside(np.stack([none, DISTANCE - touch, none - HEIGHT], axis=-1))
    below = beside(-np.stack([none, DISTANCE - touch, height - HEIGHT], axis=-1))
    cover = np.maximum(np.maximum(cap, foot), _strip(left, right) * _strip(above, below))
    endless = _brightness(radius, np.full_like(radius, np.inf), azimuth)
    return Seen(cover, (cover - cap) * endless + cap * (DARK + LIT * LAMP[1]))


def cube(half: np.ndarray, azimuth: np.ndarray) -> Seen:
    """half : (n,) half the edge. Of its sides, the one behind and the floor are never seen."""
    corners = turned(half[:, None, None] * _FACES.reshape(-1, 3), azimuth).reshape(-1, *_FACES.shape) - ORIGIN
    edges = beside(np.cross(np.roll(corners, -1, axis=2), corners))
    faces = _strip(edges[:, :, 0], edges[:, :, 2]) * _strip(edges[:, :, 1], edges[:, :, 3])
    brightness = (DARK + LIT * np.maximum(_NORMALS @ LAMP, 0)).astype(np.float32)
    return Seen(np.minimum(faces.sum(1), 1), (brightness[:, None] * faces).sum(1))


SOLIDS: dict[str, Callable[[np.ndarray, np.ndarray], Seen]] = {  # of a size (n,) and azimuth (n,)
    "sphere": lambda size, azimuth: ellipsoid(size, size, azimuth),
    "cube": lambda size, azimuth: cube(0.78 * size, azimuth),
    "cylinder": lambda size, azimuth: cylinder(0.8 * size, 1.7 * size, azimuth),
    "ellipsoid": lambda size, azimuth: ellipsoid(0.65 * size, size, azimuth),
}

# Corners of the faces that look at the camera, right, left and up; counter-clockwise from outside, the floor at y = 0
_FACES = np.array(
    [
        [(-1, 0, 1), (1, 0, 1), (1, 2, 1), (-1, 2, 1)],
        [(1, 0, 1), (1, 0, -1), (1, 2, -1), (1, 2, 1)],
        [(-1, 0, -1), (-1, 0, 1), (-1, 2, 1), (-1, 2, -1)],
        [(-1, 2, 1), (1, 2, 1), (1, 2, -1), (-1, 2, -1)],
    ],
    dtype=np.float32,
)
_NORMALS = np.array([(0, 0, 1), (1, 0, 0), (-1, 0, 0), (0, 1, 0)], dtype=np.float32)


def _strip(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Share between two lines, from the shares beside each; none where they have changed sides, as of a face that is
    turned away."""
    return np.maximum(one + other - 1, 0)


def _outline(width: np.ndarray, height: np.ndarray) -> np.ndarray:
    """(n, 3, 3) conic, positive where a ray meets the ellipsoid: the discriminant of where it does."""
    scale, from_centre = _frame(width, height)
    beyond = np.square(from_centre).sum(-1) - 1
    form = from_centre[:, :, None] * from_centre[:, None, :] - beyond[:, None, None] * np.eye(3, dtype=np.float32)
    return scale[:, :, None] * form * scale[:, None, :]


def _disc(radius: np.ndarray, height: np.ndarray) -> np.ndarray:
    """(n, 3, 3) conic, positive where a ray meets a level disc about the axis."""
    rise, none = height - HEIGHT, 0 * height
    rows = [
        [-(rise**2), none, none],
        [none, radius**2 - DISTANCE**2, -DISTANCE * rise],
        [none, -DISTANCE * rise, -(rise**2)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _brightness(width: np.ndarray, height: np.ndarray, azimuth: np.ndarray) -> np.ndarray:
    """(n, pixels) by Lambert's law at the near side of an ellipsoid, or of a cylinder where height is infinite.

    The ray meets it at o + t d; scaled to a sphere that is v + t e, and the normal is (v + t e) over the half axes.
    """
    scale, v = _frame(width, height)
    squared = np.square(scale)
    a = quadratic(_diagonal(squared))
    b = linear(scale * v)
    t = (-b - np.sqrt(np.maximum(quadratic(_outline(width, height)), 0))) / a
    at_camera = scale * v
    lamp = turned(LAMP[None], azimuth)[:, 0]
    towards = (at_camera * lamp).sum(-1)[:, None] + t * linear(squared * lamp)
    length = np.square(at_camera).sum(-1)[:, None] + t * (
        2 * linear(squared * at_camera) + t * quadratic(_diagonal(np.square(squared)))
    )
    return DARK + LIT * np.maximum(towards, 0) / np.sqrt(np.maximum(length, 1e-9))


def _frame(width: np.ndarray, height: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One over the half axes, and the camera in units of them from the centre; (n, 3) each."""
    scale = np.stack([1 / width, 1 / height, 1 / width], axis=-1)
    endless = np.isinf(height)
    centre = np.stack([0 * width, np.where(endless, 0, height), 0 * width], axis=-1)
    return scale, (ORIGIN - centre) * scale


def _diagonal(values: np.ndarray) -> np.ndarray:
    return values[:, :, None] * np.eye(3, dtype=np.float32)

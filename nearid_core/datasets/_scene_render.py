"""A room with an object in it, seen by a camera that goes around it."""

from __future__ import annotations

import numpy as np

from nearid_core.datasets._scene_camera import ORIGIN, SIDE, beside, turned
from nearid_core.datasets._scene_solids import SOLIDS, Seen, ellipsoid

FACTORS = ("floor_hue", "wall_hue", "object_hue", "scale", "shape", "azimuth")
KINDS = ("continuous", "discrete")
AROUND = np.float32(np.pi / 3)  # radians from the first azimuth to the last
HALF_ROOM = 3.0  # from the object's axis to each wall
SIDE_WALLS = 0.85  # brightness of the walls to the left and right

_FIRST = (0, 1 / 3, 2 / 3)  # hues of floor, walls and object at 0, in turns: apart, so that edges stay visible
_WALLS = np.array([(0, 0, -1), (-1, 0, 0), (1, 0, 0)], dtype=np.float32)  # outward normals: back, left, right
_DOWN = np.array([0, -1, 0], dtype=np.float32)
_PHASES = np.array([0, 2 / 3, 4 / 3], dtype=np.float32) * np.float32(np.pi)


def render(factors: np.ndarray, *, hue_range: float = 0.4, shape: str = "continuous") -> np.ndarray:
    """(n, 6) in the order of FACTORS, in [0, 1], to (n, 3, 32, 32) float32 in [0, 1].

    hue_range : share of the circle of hues that each hue goes over.
    shape : continuous, from flat to tall ellipsoids; discrete, one of SOLIDS, a quarter of [0, 1] for each.
    """
    *hues, scale, kind, around = np.asarray(factors, np.float32).T
    azimuth = AROUND * (around - 0.5)
    size = 0.55 + 0.45 * scale
    seen = _continuous(size, kind, azimuth) if shape == "continuous" else _discrete(size, kind, azimuth)
    on_floor, on_walls = _room(azimuth)
    of_floor, of_walls, of_object = (colour(first + hue_range * hue) for first, hue in zip(_FIRST, hues, strict=True))
    room = on_floor[:, None] * of_floor + on_walls[:, None] * of_walls
    images = room * (1 - seen.cover)[:, None] + seen.light[:, None] * of_object
    return np.clip(images, 0, 1).reshape(len(factors), 3, SIDE, SIDE)


def colour(hue: np.ndarray) -> np.ndarray:
    """(n, 3, 1) on a circle in RGB about grey, so that equal steps of hue are equal steps of colour.

    hue : (n,) turns.
    """
    return (0.5 + 0.45 * np.cos(2 * np.float32(np.pi) * hue[:, None] - _PHASES)).astype(np.float32)[:, :, None]


def _room(azimuth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n, pixels): the share of each pixel that is floor, and the share that is wall times its brightness.

    From within a convex room a ray meets the plane of the largest inverse distance, and n . d / (w - n . o) is affine
    in the image: where two planes meet is a line.
    """
    walls = turned(_WALLS, azimuth)
    back, left, right = np.moveaxis(walls / (HALF_ROOM - walls @ ORIGIN)[..., None], 1, 0)
    floor = _DOWN / ORIGIN[1]
    on_floor = np.minimum.reduce([beside(floor - wall) for wall in (back, left, right)])
    sides = beside(left - back) + beside(right - back)
    return on_floor, (1 - on_floor) * (1 - (1 - np.float32(SIDE_WALLS)) * np.minimum(sides, 1))


def _continuous(size: np.ndarray, kind: np.ndarray, azimuth: np.ndarray) -> Seen:
    return ellipsoid(size * np.exp(-0.9 * (kind - 0.5)), size * np.exp(0.5 * (kind - 0.5)), azimuth)


def _discrete(size: np.ndarray, kind: np.ndarray, azimuth: np.ndarray) -> Seen:
    which = np.minimum((kind * len(SOLIDS)).astype(int), len(SOLIDS) - 1)
    cover, light = np.empty((2, len(size), SIDE * SIDE), np.float32)
    for index, solid in enumerate(SOLIDS.values()):
        of_it = which == index
        cover[of_it], light[of_it] = solid(size[of_it], azimuth[of_it])
    return Seen(cover, light)

"""A room with an object on its floor, by casting a ray through every pixel; after Shapes3D (Burgess and Kim 2018)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearid_core.datasets._render_colours import hue

FACTORS = ("floor_hue", "wall_hue", "object_hue", "scale", "shape", "azimuth")
SHAPES = ("sphere", "cube", "cylinder", "pill")
SIDE = 32
SAMPLES = 2  # rays a pixel along each side; their mean is the pixel

DISTANCE, HEIGHT, PITCH, FOCAL = 3.4, 1.9, -0.38, 1.35  # of the camera: from the axis, above the floor, down, lens
TURN = np.pi / 3  # that the azimuth covers
WALL = 3.0  # from the axis
LIGHT = np.array([0.4, 0.75, 0.53], dtype=np.float32)  # towards it, a unit vector
# Parts of the circle over which floor, wall and object hue move the pixels about as much as the geometry does (summed
# variance within 1.5 of each other, for continuous shapes)
EQUAL_ARCS = (0.09, 0.105, 0.29)
FAR = np.float32(1e9)
_TINY = np.float32(1e-6)


class Rays(NamedTuple):
    """Origins (n, 1, 1) and unit directions (n, side, side)."""

    ox: np.ndarray
    oy: np.ndarray
    oz: np.ndarray
    dx: np.ndarray
    dy: np.ndarray
    dz: np.ndarray


class Hit(NamedTuple):
    """Where there is one, how far along the ray, and the unit normal there; (n, side, side) each."""

    there: np.ndarray
    distance: np.ndarray
    normal: tuple[np.ndarray, np.ndarray, np.ndarray]


def render_scene(factors: np.ndarray, *, hue_range: float, shape: str, energy: str = "natural") -> np.ndarray:
    """(n, 6) in [0, 1] to (n, 3, 32, 32) float32 in [0, 1].

    hue_range : of the circle, that each hue covers; energy ``equal`` shortens that to EQUAL_ARCS. shape : ``discrete``,
    four solids of a quarter of the range each, or ``continuous``, an ellipsoid from flat to tall.
    """
    floor_arc, wall_arc, object_arc = EQUAL_ARCS if energy == "equal" else (hue_range,) * 3
    floor_hue, wall_hue, object_hue, scale, form, azimuth = np.asarray(factors, dtype=np.float32).T
    rays = _camera(TURN * (azimuth - 0.5)[:, None, None])
    to_floor = np.where(rays.dy < -_TINY, -rays.oy / np.minimum(rays.dy, -_TINY), FAR)
    to_wall, is_side = _walls(rays)
    image = np.where(
        (to_floor < to_wall)[:, None],
        _paint(hue(floor_arc * floor_hue, 0.45)),
        _paint(hue(wall_arc * wall_hue, 0.45)) * np.where(is_side, np.float32(0.85), np.float32(1))[:, None],
    )
    radius = (0.55 + 0.45 * scale)[:, None, None]
    hit = _continuous(rays, radius, form) if shape == "continuous" else _discrete(rays, radius, form)
    lit = sum(part * toward for part, toward in zip(hit.normal, LIGHT, strict=True))
    shade = 0.55 + 0.45 * np.maximum(lit, 0)
    seen = hit.there & (hit.distance < np.minimum(to_floor + 0.2, to_wall))
    image = np.where(seen[:, None], _paint(hue(object_arc * object_hue, 0.45)) * shade[:, None], image)
    n = len(image)
    return image.reshape(n, 3, SIDE, SAMPLES, SIDE, SAMPLES).mean(axis=(3, 5), dtype=np.float32)


def _camera(turn: np.ndarray) -> Rays:
    at = ((np.arange(SIDE * SAMPLES, dtype=np.float32) + 0.5) / (SIDE * SAMPLES) - 0.5) * 2
    right, up = np.broadcast_arrays(at[None, :] / FOCAL, -at[:, None] / FOCAL)
    across, high, ahead = right, up, -np.ones_like(right)
    high, ahead = (
        np.cos(PITCH) * high - np.sin(PITCH) * ahead,
        np.sin(PITCH) * high + np.cos(PITCH) * ahead,
    )
    length = np.sqrt(across**2 + high**2 + ahead**2)
    across, high, ahead = across / length, high / length, ahead / length
    cosine, sine = np.cos(turn), np.sin(turn)
    return Rays(
        ox=sine * DISTANCE,
        oy=np.full_like(turn, HEIGHT),
        oz=cosine * DISTANCE,
        dx=cosine * across + sine * ahead,
        dy=np.broadcast_to(high, (len(turn), *high.shape)),
        dz=cosine * ahead - sine * across,
    )


def _walls(rays: Rays) -> tuple[np.ndarray, np.ndarray]:
    """How far the walls are, and which rays meet one of the two at the sides."""
    side = (WALL * np.sign(rays.dx) - rays.ox) / _nonzero(rays.dx)
    side = np.where(side > 0, side, FAR)
    back = np.where(rays.dz < 0, (-WALL - rays.oz) / np.minimum(rays.dz, -_TINY), FAR)
    return np.minimum(side, back), side < back


def _continuous(rays: Rays, radius: np.ndarray, form: np.ndarray) -> Hit:
    tall = (form - 0.5)[:, None, None]
    return _ellipsoid(rays, radius, radius * np.exp(-0.9 * tall), radius * np.exp(0.5 * tall))


def _discrete(rays: Rays, radius: np.ndarray, form: np.ndarray) -> Hit:
    which = np.minimum(form * len(SHAPES), len(SHAPES) - 1).astype(int)[:, None, None]
    solids = [
        _ellipsoid(rays, radius, radius, radius),
        _cube(rays, radius, 0.82 * radius),
        _cylinder(rays, radius, 0.8 * radius),
        _ellipsoid(rays, radius, 0.65 * radius, radius),
    ]
    chosen = [which == number for number in range(len(solids))]
    return Hit(
        there=np.select(chosen, [solid.there for solid in solids]),
        distance=np.select(chosen, [solid.distance for solid in solids]),
        normal=tuple(np.select(chosen, [solid.normal[axis] for solid in solids]) for axis in range(3)),  # type: ignore[arg-type]
    )


def _ellipsoid(rays: Rays, height: np.ndarray, wide: np.ndarray, high: np.ndarray) -> Hit:
    """Of radii `wide` along the floor and `high` above it, with its centre at `height`."""
    origin = rays.ox / wide, (rays.oy - height) / high, rays.oz / wide
    toward = rays.dx / wide, rays.dy / high, rays.dz / wide
    there, distance = _quadratic(
        sum(d * d for d in toward),
        sum(o * d for o, d in zip(origin, toward, strict=True)),
        sum(o * o for o in origin) - 1,
    )
    at = [o + distance * d for o, d in zip(origin, toward, strict=True)]
    return Hit(there, distance, _unit(at[0] / wide, at[1] / high, at[2] / wide))


def _cube(rays: Rays, height: np.ndarray, half: np.ndarray) -> Hit:
    near, far, signs = [], [], []
    for origin, toward in ((rays.ox, rays.dx), (rays.oy - height, rays.dy), (rays.oz, rays.dz)):
        ends = [(side * half - origin) / _nonzero(toward) for side in (-1, 1)]
        near.append(np.minimum(*ends))
        far.append(np.maximum(*ends))
        signs.append(-np.sign(toward))
    enter, leave = np.maximum.reduce(near), np.minimum.reduce(far)
    normal = tuple(sign * (face == enter) for sign, face in zip(signs, near, strict=True))
    return Hit((enter < leave) & (enter > 0), enter, normal)


def _cylinder(rays: Rays, height: np.ndarray, radius: np.ndarray) -> Hit:
    """Upright, from the floor to twice `height`."""
    round_, to_side = _quadratic(
        rays.dx**2 + rays.dz**2, rays.ox * rays.dx + rays.oz * rays.dz, rays.ox**2 + rays.oz**2 - radius**2
    )
    above = rays.oy - height
    on_side = round_ & (np.abs(above + to_side * rays.dy) < height)
    to_cap = (height - above) / _nonzero(rays.dy)
    x, z = rays.ox + to_cap * rays.dx, rays.oz + to_cap * rays.dz
    on_cap = (x**2 + z**2 < radius**2) & (to_cap > 0)
    side = _unit(rays.ox + to_side * rays.dx, np.zeros_like(to_side), rays.oz + to_side * rays.dz)
    normal = tuple(np.where(on_cap, np.float32(axis == 1), part) for axis, part in enumerate(side))
    return Hit(on_cap | on_side, np.where(on_cap, to_cap, to_side), normal)  # type: ignore[arg-type]


def _quadratic(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The nearer root of a t^2 + 2 b t + c, and where there is one ahead."""
    discriminant = b * b - a * c
    root = (-b - np.sqrt(np.maximum(discriminant, 0))) / a
    return (discriminant > 0) & (root > 0), root


def _unit(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    length = np.sqrt(x * x + y * y + z * z) + _TINY
    return x / length, y / length, z / length


def _nonzero(values: np.ndarray) -> np.ndarray:
    return np.where(np.abs(values) < _TINY, _TINY, values)


def _paint(colour: np.ndarray) -> np.ndarray:
    return colour[:, :, None, None]

"""The room is what a ray tracer that samples points would see, and each factor changes its own pixels alone."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from scipy.ndimage import binary_dilation

from nearid_core.datasets import _scene_camera as camera
from nearid_core.datasets import _scene_render as scene
from nearid_core.datasets._scene_solids import DARK, LAMP, LIT, SOLIDS

FINE = 12  # samples a pixel and axis
Hit = tuple[np.ndarray, np.ndarray]  # distance along the ray, infinite where it misses; normal


def traced(factors: np.ndarray, shape: str) -> np.ndarray:
    """One image by sampled rays in the room's own frame; shares no formula with the renderer but the light's."""
    floor, wall, thing, scale, kind, around = factors
    angle = np.pi / 3 * (around - 0.5)
    turn = np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])
    at = turn @ [0, camera.HEIGHT, camera.DISTANCE]
    centres = ((np.arange(32 * FINE) + 0.5) / (32 * FINE) * 2 - 1) / camera.FOCAL
    x, up = np.meshgrid(centres, -centres)
    c, s = np.cos(camera.PITCH), np.sin(camera.PITCH)
    rays = np.stack([x, c * up + s, s * up - c], axis=-1) @ turn.T
    distance, normal = object_of(scale, kind, shape)(at, rays)
    nearest, colours = room(at, rays, hue(0, floor), hue(1 / 3, wall))
    bright = DARK + LIT * np.maximum(normal @ LAMP, 0)
    colours = np.where((distance < nearest)[..., None], bright[..., None] * hue(2 / 3, thing), colours)
    return colours.reshape(32, FINE, 32, FINE, 3).mean((1, 3)).transpose(2, 0, 1)


def hue(first: float, factor: float) -> np.ndarray:
    return 0.5 + 0.45 * np.cos(2 * np.pi * (first + 0.4 * factor) - np.array([0, 2, 4]) * np.pi / 3)


def room(at: np.ndarray, rays: np.ndarray, floor: np.ndarray, wall: np.ndarray) -> Hit:
    planes = [
        ((0, -1, 0), 0.0, floor),
        ((0, 0, -1), 3.0, wall),
        ((1, 0, 0), 3.0, 0.85 * wall),
        ((-1, 0, 0), 3.0, 0.85 * wall),
    ]
    nearest, colours = np.full(rays.shape[:2], np.inf), np.zeros(rays.shape)
    for normal, offset, colour in planes:
        towards = rays @ np.array(normal)
        with np.errstate(divide="ignore"):
            distance = np.where(towards > 0, (offset - at @ np.array(normal)) / towards, np.inf)
        colours = np.where((distance < nearest)[..., None], colour, colours)
        nearest = np.minimum(distance, nearest)
    return nearest, colours


def object_of(scale: float, kind: float, shape: str):  # type: ignore[no-untyped-def]
    size = 0.55 + 0.45 * scale
    if shape == "continuous":
        return partial(ellipsoid, size * np.exp(-0.9 * (kind - 0.5)), size * np.exp(0.5 * (kind - 0.5)))
    kinds = {
        "sphere": partial(ellipsoid, size, size),
        "cube": partial(box, 0.78 * size),
        "cylinder": partial(cylinder, 0.8 * size, 1.7 * size),
        "ellipsoid": partial(ellipsoid, 0.65 * size, size),
    }
    return kinds[list(SOLIDS)[min(int(kind * 4), 3)]]


def ellipsoid(width: float, height: float, at: np.ndarray, rays: np.ndarray) -> Hit:
    axes = np.array([width, height, width])
    start, way = (at - [0, height, 0]) / axes, rays / axes
    a, b, c = (way**2).sum(-1), way @ start, start @ start - 1
    root = np.sqrt(np.where(b * b > a * c, b * b - a * c, np.nan))
    distance = (-b - root) / a
    normal = (start + distance[..., None] * way) / axes
    return np.nan_to_num(distance, nan=np.inf), np.nan_to_num(normal / np.linalg.norm(normal, axis=-1, keepdims=True))


def box(half: float, at: np.ndarray, rays: np.ndarray) -> Hit:
    low, high = (np.array([-half, 0, -half]) - at) / rays, (np.array([half, 2 * half, half]) - at) / rays
    entry, leave = np.minimum(low, high), np.maximum(low, high).min(-1)
    axis = entry.argmax(-1)
    normal = -np.eye(3)[axis] * np.sign(rays)
    return np.where(entry.max(-1) < leave, entry.max(-1), np.inf), normal


def cylinder(radius: float, height: float, at: np.ndarray, rays: np.ndarray) -> Hit:
    level = np.array([1, 0, 1])
    a, b, c = (rays**2) @ level, (rays * at) @ level, (at**2) @ level - radius**2
    side = (-b - np.sqrt(np.where(b * b > a * c, b * b - a * c, np.nan))) / a
    there = at + side[..., None] * rays
    side = np.where((there[..., 1] > 0) & (there[..., 1] < height), side, np.inf)
    top = (height - at[1]) / rays[..., 1]
    on_top = (((at + top[..., None] * rays) ** 2) @ level < radius**2) & (top > 0)
    normal = np.where(on_top[..., None], [0.0, 1.0, 0.0], np.nan_to_num(there * level / radius))
    return np.where(on_top, np.minimum(top, side), side), normal


@pytest.mark.parametrize("kind", ["continuous", *SOLIDS])
def test_images_are_those_of_a_ray_tracer(kind: str) -> None:
    factors = np.random.default_rng(0).random((12, 6)).astype(np.float32)
    shape = "continuous" if kind == "continuous" else "discrete"
    if shape == "discrete":
        factors[:, 4] = (list(SOLIDS).index(kind) + 0.5) / 4
    expected = np.stack([traced(row.astype(float), shape) for row in factors])
    error = np.abs(scene.render(factors, shape=shape) - expected)
    assert error.mean() < 0.002
    assert np.quantile(error, 0.99) < 0.04
    assert error.max() < 0.25, "in corners, where several edges share a pixel"


def regions(factors: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(n, side, side) bool: pixels that the ray tracer sees any floor, wall or object in."""
    found = []
    for row in factors.astype(float):
        base = traced(row, "continuous")
        found.append(
            [np.abs(traced(np.where(np.arange(6) == j, 1 - row, row), "continuous") - base).sum(0) for j in range(3)]
        )
    floor, wall, thing = np.moveaxis(np.array(found) > 1e-9, 1, 0)
    return floor, wall, thing


def test_a_hue_changes_its_own_surface_and_nothing_else() -> None:
    factors = np.random.default_rng(1).uniform(0.05, 0.4, (6, 6)).astype(np.float32)
    before = scene.render(factors)
    for j, region in enumerate(regions(factors)):
        after = factors.copy()
        after[:, j] = 1 - factors[:, j]
        changed = np.abs(scene.render(after) - before).max(1)
        near = binary_dilation(region, np.ones((1, 3, 3)))
        assert changed[~near].max() < 1 / 255
        assert (changed[region] > 0.01).mean() > 0.9


def test_scale_and_shape_change_pixels_about_the_object_only() -> None:
    factors = np.full((2, 6), 0.5, np.float32)
    for j in (3, 4):
        factors[:, j] = 0, 1
        changed = np.abs(np.diff(scene.render(factors), axis=0)).max((0, 1))
        assert changed[:, [0, 1, -2, -1]].max() < 1e-6
        factors[:, j] = 0.5


def test_equal_steps_of_hue_are_equal_steps_of_colour() -> None:
    colours = scene.colour(np.linspace(0, 1, 50, dtype=np.float32))[:, :, 0]
    steps = np.linalg.norm(np.diff(colours, axis=0), axis=1)
    np.testing.assert_allclose(steps, steps.mean(), rtol=1e-3)
    assert steps.mean() > 0.05


def test_hue_range_is_the_share_of_the_circle_and_none_is_one_colour() -> None:
    factors = np.full((2, 6), 0.5, np.float32)
    factors[:, 0] = 0, 1
    around, none = scene.render(factors, hue_range=1.0), scene.render(factors, hue_range=0.0)
    np.testing.assert_allclose(around[0], around[1], atol=1e-5)
    np.testing.assert_array_equal(none[0], none[1])
    assert np.abs(np.diff(scene.render(factors), axis=0)).max() > 0.3

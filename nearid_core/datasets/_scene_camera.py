"""A fixed camera, and how much of each pixel lies within lines and conics of its image.

A pixel's ray is d = (x, y, z), not normalised and so affine in the pixel's place: a plane through the camera is a line
m . d = 0 in the image, and the outline of a quadric is a conic d' M d = 0. Both divided by their gradient are distances
in pixels (of a conic to first order), from which the covered share of a pixel follows without any sampling, and so
without the jumps that sampling has when an edge passes a sample.
"""

from __future__ import annotations

import numpy as np

SIDE = 32
HEIGHT, DISTANCE = 1.9, 3.4  # of the camera above the floor and from the object's axis; the camera looks along -z
PITCH, FOCAL = -0.38, 1.35  # radians; half the image's width at distance 1 is 1 / FOCAL
ORIGIN = np.array([0, HEIGHT, DISTANCE], np.float32)

_CENTRES = ((np.arange(SIDE) + 0.5) / SIDE * 2 - 1) / FOCAL
_STEP_X = np.array([2 / SIDE / FOCAL, 0, 0], np.float32)  # of a ray, from a pixel to the next
_STEP_Y = -2 / SIDE / FOCAL * np.array([0, np.cos(PITCH), np.sin(PITCH)], dtype=np.float32)


def _rays() -> np.ndarray:
    x, down = np.meshgrid(_CENTRES, _CENTRES)
    y, z = np.sin(PITCH) - np.cos(PITCH) * down, -np.cos(PITCH) - np.sin(PITCH) * down
    return np.stack([x, y, z]).reshape(3, -1).astype(np.float32)


RAYS = _rays()  # (3, pixels)
_PRODUCTS = (RAYS[:, None] * RAYS[None, :]).reshape(9, -1)


def linear(forms: np.ndarray) -> np.ndarray:
    """m . d of each pixel, (..., pixels); forms : (..., 3)."""
    return (forms.reshape(-1, 3) @ RAYS).reshape(*forms.shape[:-1], SIDE**2)


def quadratic(forms: np.ndarray) -> np.ndarray:
    """d' M d of each pixel, (n, pixels); forms : (n, 3, 3), symmetric."""
    return forms.reshape(-1, 9) @ _PRODUCTS


def beside(forms: np.ndarray) -> np.ndarray:
    """Share of each pixel on the positive side of a line, (..., pixels); forms : (..., 3)."""
    slope = np.sqrt(np.square(forms @ _STEP_X) + np.square(forms @ _STEP_Y))
    return np.clip(0.5 + linear(forms / np.maximum(slope, 1e-9)[..., None]), 0, 1)


def within(forms: np.ndarray) -> np.ndarray:
    """Share of each pixel where a conic is positive, (n, pixels); forms : (n, 3, 3), symmetric."""
    slope = np.square(linear(2 * forms @ _STEP_X)) + np.square(linear(2 * forms @ _STEP_Y))
    return np.clip(0.5 + quadratic(forms) / np.sqrt(np.maximum(slope, 1e-12)), 0, 1)


def turned(points: np.ndarray, azimuth: np.ndarray) -> np.ndarray:
    """Points or directions of the room, (k, 3) or (n, k, 3), as the camera has them at each azimuth; (n, k, 3)."""
    c, s = np.cos(azimuth), np.sin(azimuth)
    still, none = np.ones_like(c), np.zeros_like(c)
    return points @ np.stack([c, none, s, none, still, none, -s, none, c], axis=-1).reshape(-1, 3, 3)

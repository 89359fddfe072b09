"""A sprite has the area, place, size and direction that its factors say, measured on the image."""

from __future__ import annotations

import numpy as np
from scipy.special import gamma

from nearid_core.datasets._sprites_render import ASPECT, FACTORS, render

CENTRES = (np.arange(32) + 0.5) / 32
SWEEP = np.linspace(0, 1, 50)


def seen(**factors: float | np.ndarray) -> np.ndarray:
    """(50, 32, 32), the other factors at random."""
    table = np.random.default_rng(0).random((50, len(FACTORS)))
    for name, values in factors.items():
        table[:, FACTORS.index(name)] = values
    return render(table)[:, 0]


def moments(images: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Area, centre (2, n) and covariance (n, 2, 2), in sides of the image."""
    area = images.sum((1, 2))
    x, y = (images.sum(axis) @ CENTRES / area for axis in (1, 2))
    dx, dy = CENTRES[None, None, :] - x[:, None, None], CENTRES[None, :, None] - y[:, None, None]
    spread = [[(images * a * b).sum((1, 2)) / area for a in (dx, dy)] for b in (dx, dy)]
    return area / 32**2, np.stack([x, y]), np.moveaxis(np.array(spread), -1, 0)


def test_area_is_that_of_a_superellipse() -> None:
    power = 2 * 4 ** (1 - SWEEP)
    expected = 4 * 0.12**2 * gamma(1 + 1 / power) ** 2 / gamma(1 + 2 / power)
    found = moments(seen(scale=0.0, roundness=SWEEP))[0]
    np.testing.assert_allclose(found, expected, rtol=0.015)


def test_scale_is_the_root_of_the_area() -> None:
    area = moments(seen(scale=SWEEP, roundness=1.0))[0]
    np.testing.assert_allclose(np.sqrt(area / np.pi), 0.12 + 0.09 * SWEEP, rtol=0.01)


def test_x_and_y_are_the_centre_whatever_else_differs() -> None:
    places = np.random.default_rng(1).random((2, 50))
    centre = moments(seen(x=places[0], y=places[1]))[1]
    np.testing.assert_allclose(centre, 0.3 + 0.4 * places, atol=2e-3)


def test_orientation_is_the_direction_of_the_long_axis() -> None:
    spread = moments(seen(orientation=SWEEP))[2]
    values, vectors = np.linalg.eigh(spread)
    long = vectors[:, :, 1]
    np.testing.assert_allclose(np.arctan(long[:, 1] / long[:, 0]), np.pi / 2 * (SWEEP - 0.5), atol=0.03)
    np.testing.assert_allclose(np.sqrt(values[:, 1] / values[:, 0]), ASPECT, rtol=0.03)


def test_no_part_of_a_sprite_is_outside_the_image() -> None:
    corners = np.stack(np.meshgrid(*[[0, 0.5, 1]] * 5), axis=-1).reshape(-1, 5)
    centred = np.where(np.arange(5) < 2, 0.5, corners)
    np.testing.assert_allclose(render(corners).sum((1, 2, 3)), render(centred).sum((1, 2, 3)), rtol=0.025)

"""Smaller images keep the light of what they cover."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nearid_core.datasets.area import area_mean, area_weights


@pytest.mark.parametrize("side", [1, 2, 8, 16])
def test_a_whole_divisor_is_the_mean_of_blocks(side: int) -> None:
    images = np.random.default_rng(0).integers(0, 256, (5, 16, 16, 3), dtype=np.uint8)
    block = 16 // side
    expected = images.reshape(5, side, block, side, block, 3).mean((2, 4)).transpose(0, 3, 1, 2)
    np.testing.assert_allclose(area_mean(images, side), expected, rtol=1e-5)


@settings(max_examples=50, deadline=None)
@given(extent=st.integers(1, 70), side=st.integers(1, 70))
def test_every_size_keeps_a_constant_and_the_mean(extent: int, side: int) -> None:
    side = min(side, extent)
    weights = area_weights(extent, side)
    assert weights.min() >= 0
    np.testing.assert_allclose(weights.sum(1), 1, rtol=1e-5)
    np.testing.assert_allclose(weights.sum(0), side / extent, rtol=1e-4)


def test_a_pixel_across_two_counts_in_each_by_its_share() -> None:
    np.testing.assert_allclose(area_weights(3, 2), [[2 / 3, 1 / 3, 0], [0, 1 / 3, 2 / 3]], rtol=1e-6)

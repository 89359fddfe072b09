"""Each factor moves the pixels that it names, measured without the renderer's own formulas."""

from __future__ import annotations

import numpy as np
import pytest

from nearid_core.datasets._cells_factors import FACTORS, LIMIT
from nearid_core.datasets._cells_render import CHANNELS, render

ACTIN, ORGANELLES, DNA = range(len(CHANNELS))
COUNT = 200
COLUMNS, ROWS = np.meshgrid(np.arange(32.0) - 15.5, np.arange(32.0) - 15.5)


def seen(noise: float = 0.0, **factors: float | np.ndarray) -> np.ndarray:
    """The same cells each time, but for the factors given."""
    table = np.zeros((COUNT, len(FACTORS)))
    for name, values in factors.items():
        table[:, FACTORS.index(name)] = values
    return render(table, np.random.default_rng(1), noise)


SWEEP = np.linspace(-2, 2, COUNT)


def others(*kept: str) -> dict[str, np.ndarray]:
    """Every factor but `kept` at random."""
    rng = np.random.default_rng(2)
    return {name: rng.normal(size=COUNT) for name in FACTORS if name not in kept}


def mask(channel: np.ndarray) -> np.ndarray:
    """What is brighter than halfway between dark and bright, a cell by its own."""
    low, high = (np.quantile(channel, q, axis=(1, 2), keepdims=True) for q in (0.2, 0.99))
    return channel > (low + high) / 2


def correlation(factor: np.ndarray, measured: np.ndarray) -> float:
    return float(np.corrcoef(factor, measured)[0, 1])


def test_nucleus_size_is_the_area_of_the_nucleus_whatever_else_differs() -> None:
    steady = {"tech_blur": 0.0, "tech_crosstalk": -LIMIT}
    images = seen(0.012, bio_nucleus_size=SWEEP, **{**others("bio_nucleus_size"), **steady})
    assert correlation(SWEEP, mask(images[:, DNA]).sum((1, 2))) > 0.95


def test_elongation_is_the_ratio_of_the_nucleus_axes() -> None:
    nucleus = mask(seen(bio_elongation=SWEEP)[:, DNA])
    spread = [np.sqrt((nucleus * axis**2).sum((1, 2)) / nucleus.sum((1, 2))) for axis in (COLUMNS, ROWS)]
    ratio = spread[0] / spread[1]
    assert correlation(SWEEP, np.log(ratio)) > 0.95
    assert ratio.min() > 1, "the long axis lies horizontally"


def test_nucleus_intensity_brightens_dna_and_nothing_else() -> None:
    images = seen(bio_nucleus_intensity=SWEEP)
    assert correlation(SWEEP, np.log(images[:, DNA, 14:18, 14:18].mean((1, 2)))) > 0.99
    np.testing.assert_array_equal(images[:, :DNA], seen()[:, :DNA])


def test_spread_is_the_area_of_the_cell() -> None:
    cell = seen(bio_spread=SWEEP)[:, ACTIN] > 0.2
    assert correlation(SWEEP, cell.sum((1, 2))) > 0.95


def test_fibres_are_the_contrast_of_actin_across_the_cell() -> None:
    profile = seen(bio_fibres=SWEEP)[:, ACTIN, 8:24, 12:20].mean(-1)
    period = np.abs(np.fft.fft(profile - profile.mean(1, keepdims=True), n=64, axis=1))[:, 9]  # 64 / 7 cycles
    assert correlation(SWEEP, period) > 0.95


def test_puncta_add_light_to_the_organelles_and_nothing_else() -> None:
    images = seen(bio_puncta=SWEEP)
    assert correlation(SWEEP, np.log(images[:, ORGANELLES].sum((1, 2)))) > 0.95
    np.testing.assert_array_equal(images[:, ACTIN], seen()[:, ACTIN])
    np.testing.assert_array_equal(images[:, DNA], seen()[:, DNA])


def test_gain_multiplies_all_light_and_leaves_the_offset() -> None:
    low, high = seen(tech_gain=-1.0), seen(tech_gain=1.0)
    offset = low[:, :, :1, :1]  # no cell reaches a corner
    ratio = (high - offset)[low > offset + 0.05] / (low - offset)[low > offset + 0.05]
    np.testing.assert_allclose(ratio, ratio.mean(), rtol=1e-3)
    assert ratio.mean() > 1.1


def test_background_is_added_to_every_pixel_alike() -> None:
    difference = seen(tech_background=1.0) - seen(tech_background=-1.0)
    np.testing.assert_allclose(difference, difference.mean(), atol=1e-6)
    assert difference.mean() > 0.02


def test_blur_lowers_high_frequencies_and_keeps_the_light() -> None:
    def high_frequencies(images: np.ndarray) -> np.ndarray:
        power = np.abs(np.fft.fft2(images)) ** 2
        frequency = np.hypot(np.fft.fftfreq(32)[:, None], np.fft.fftfreq(32)[None, :])
        return power[..., frequency > 0.15].sum((1, 2))

    sharp, usual, blurred = (seen(tech_blur=blur) for blur in (-2.0, 0.0, 2.0))
    assert (high_frequencies(sharp) > 2 * high_frequencies(usual)).all()
    assert (high_frequencies(usual) > 2 * high_frequencies(blurred)).all()
    np.testing.assert_allclose(blurred.mean((1, 2, 3)), sharp.mean((1, 2, 3)), rtol=0.02)


def test_crosstalk_adds_a_share_of_actin_to_dna() -> None:
    little, much = seen(tech_crosstalk=-1.0), seen(tech_crosstalk=1.0)
    leaked = (much - little)[:, DNA]
    share = leaked / (little[:, ACTIN] - little[:, ACTIN, :1, :1]).clip(1e-3)
    np.testing.assert_allclose(share[leaked > 0.02], 0.16, rtol=0.02)
    np.testing.assert_array_equal(much[:, :DNA], little[:, :DNA])


@pytest.mark.parametrize(("name", "axis"), [("tech_slope_x", COLUMNS), ("tech_slope_y", ROWS)])
def test_a_slope_moves_the_light_to_one_side(name: str, axis: np.ndarray) -> None:
    def centre(images: np.ndarray) -> np.ndarray:
        light = images[:, ACTIN] - images[:, ACTIN, :1, :1]
        return (light * axis).sum((1, 2)) / light.sum((1, 2))

    assert correlation(SWEEP, centre(seen(**{name: SWEEP})) - centre(seen())) > 0.99


@pytest.mark.parametrize("name", FACTORS)
def test_every_factor_changes_the_image_by_a_like_amount(name: str) -> None:
    """None is so much weaker than another that a model could leave it out."""
    up, down, usual = seen(**{name: 1.0}), seen(**{name: -1.0}), seen()
    for moved in (up, down):
        energy = np.square(moved - usual).sum((1, 2, 3)).mean()
        assert 0.1 < energy < 1.2


def test_the_same_state_gives_the_same_cell_and_every_extreme_is_an_image() -> None:
    np.testing.assert_array_equal(seen(0.012), seen(0.012))
    corners = np.random.default_rng(0).choice([-LIMIT, LIMIT], (COUNT, len(FACTORS)))
    images = render(corners, np.random.default_rng(0))
    assert images.shape == (COUNT, 3, 32, 32)
    assert images.dtype == np.float32
    assert np.isfinite(images).all()
    assert 0 <= images.min() < images.max() <= 1

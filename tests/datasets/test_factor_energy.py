"""The energy of a factor is the variance it causes, known exactly where images are linear in the factors."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import nearid_core as nid
from nearid_core.datasets import _balanced_scene_render, _scene_render
from nearid_core.datasets._rendered import REACH, draw_factors
from nearid_core.datasets.factor_energy import equal_spans, factor_energies, narrow

GAINS = np.array([0.1, 0.3, 0.6])


def linear_images(factors: np.ndarray) -> np.ndarray:
    """Each factor moves two pixels of its own."""
    return np.repeat(factors * GAINS, 2, axis=1).astype(np.float32).reshape(-1, 1, 2, 3)


def two_draws(factors: int, n: int = 1500, law: str = "uniform", seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return draw_factors(rng, n, law, [None] * factors), draw_factors(rng, n, law, [None] * factors)


@pytest.mark.parametrize("law", ["uniform", "arcsine", "gaussian"])
def test_energy_is_the_variance_that_a_factor_causes(law: str) -> None:
    found = factor_energies(linear_images, *two_draws(3, 20_000, law))
    np.testing.assert_allclose(found, 2 * GAINS**2 / (2 * REACH[law]) ** 2, rtol=0.04)


def test_equal_spans_of_a_linear_image_are_one_over_the_gains() -> None:
    spans = equal_spans(linear_images, "uniform", [None] * 3)
    np.testing.assert_allclose(spans, GAINS.min() / GAINS, rtol=0.12)
    assert spans.max() == 1


def test_a_factor_of_kinds_keeps_its_range_and_the_stronger_ones_come_down_to_it() -> None:
    spans = equal_spans(linear_images, "uniform", [None, 4, None], kind=1)
    assert spans[:2].tolist() == [1, 1], "the first is weaker than the kinds and cannot be made stronger"
    levels = np.linspace(0, 1, 4)
    np.testing.assert_allclose(spans[2], 0.5 * levels.std() * np.sqrt(12), rtol=0.12)


def ratio(energies: np.ndarray) -> float:
    return float(energies.max() / energies.min())


def test_factors_of_the_balanced_scene_have_equal_energy_and_those_of_the_scene_do_not() -> None:
    assert ratio(factor_energies(_balanced_scene_render.render, *two_draws(6))) < 1.2
    assert ratio(factor_energies(_scene_render.render, *two_draws(6))) > 10


def test_equal_energy_of_the_scene_holds_on_other_samples() -> None:
    spans = equal_spans(_scene_render.render, "uniform", [None] * 6)
    assert ratio(factor_energies(narrow(_scene_render.render, spans), *two_draws(6))) < 1.3
    assert spans.min() > 0.1


def test_the_scene_of_equal_energy_has_the_same_factors_in_narrower_ranges() -> None:
    natural, equal = (nid.load_dataset("scene", n=300, energy=energy, hue_range=0.2) for energy in ("natural", "equal"))
    assert natural.samples.equals(equal.samples)
    assert equal.features.var(0).sum() < 0.5 * natural.features.var(0).sum()
    spans = equal_spans(partial(_scene_render.render, hue_range=0.2), "uniform", [None] * 6)
    factors = equal.samples[list(equal.factor_names)].to_numpy()
    again = narrow(partial(_scene_render.render, hue_range=0.2), spans)(factors.astype(np.float32))
    np.testing.assert_allclose(again.reshape(300, -1), equal.features, atol=1e-5)

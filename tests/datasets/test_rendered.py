"""Rendered images: every factor is seen, moves the image smoothly, and is distributed as asked."""

from __future__ import annotations

import numpy as np
import pytest

import nearid_core as nid
from nearid_core.datasets import BALANCED_SCENE, SCENE, SPRITES
from nearid_core.datasets.rendered import Rendered

SOURCES = (SPRITES, SCENE, BALANCED_SCENE)
CONTINUOUS = {"scene": {"hue_range": 0.4, "shape": "continuous", "energy": "natural"}}
EQUAL = {"scene": {"hue_range": 0.4, "shape": "continuous", "energy": "equal"}}


def _images(source: Rendered, factors: np.ndarray, options: dict[str, dict[str, object]] = CONTINUOUS) -> np.ndarray:
    return source.render(factors, **options.get(source.name, {}))


def _energies(source: Rendered, options: dict[str, dict[str, object]]) -> np.ndarray:
    """Pixel variance that each factor makes alone, summed over pixels, mean over values of the others."""
    at = np.random.default_rng(0).uniform(size=(48, len(source.factors)))
    found = []
    for column in range(len(source.factors)):
        images = []
        for value in (np.arange(12) + 0.5) / 12:
            at_value = at.copy()
            at_value[:, column] = value
            images.append(_images(source, at_value, options))
        found.append(np.stack(images).var(axis=0).sum(axis=(1, 2, 3)).mean())
    return np.array(found)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_a_dataset_says_what_it_is_made_of(source: Rendered) -> None:
    data = nid.load_dataset(source.name, n=200)
    assert data.images is not None
    assert data.images.shape == (200, *source.image_shape)
    assert data.images.min() >= 0
    assert data.images.max() <= 1
    assert data.factor_names == source.factors
    factors = data.samples[list(source.factors)]
    assert factors.min().min() >= 0
    assert factors.max().max() <= 1
    assert (data.samples["split"] == "test").sum() == 80


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_the_first_samples_are_the_same_however_many_there_are(source: Rendered) -> None:
    few, many = (nid.load_dataset(source.name, n=n) for n in (60, 600))
    assert (few.features == many.features[:60]).all()
    assert (few.samples[list(source.factors)] == many.samples[list(source.factors)][:60]).all(axis=None)
    other = nid.load_dataset(source.name, n=60, seed=1)
    assert (few.features != other.features).any()


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_no_factor_makes_the_image_jump(source: Rendered) -> None:
    """Anti-aliased: the image moves in proportion to a small step of a factor."""
    at = np.random.default_rng(1).uniform(0.05, 0.9, size=(40, len(source.factors)))
    there = _images(source, at)
    for column in range(len(source.factors)):
        steps = []
        for step in (0.04, 0.004):
            moved = at.copy()
            moved[:, column] += step
            steps.append(np.abs(_images(source, moved) - there).sum(axis=(1, 2, 3)).mean() / step)
        assert steps[0] > 0.1, source.factors[column]
        assert steps[1] < 2 * steps[0], source.factors[column]


def test_a_hue_changes_its_own_surface_only() -> None:
    at = np.full((1, 6), 0.4)
    for source in (SCENE, BALANCED_SCENE):
        plain = _images(source, at)
        changed = []
        for column in range(3):
            moved = at.copy()
            moved[:, column] = 0.9
            changed.append(np.abs(_images(source, moved) - plain).max(axis=1)[0] > 1e-4)
        shared = sum(mask.astype(int) for mask in changed) > 1
        assert shared.mean() < 0.15  # the pixels on an edge are of two surfaces
        assert (sum(mask.astype(int) for mask in changed) > 0).mean() > 0.9


@pytest.mark.parametrize(("source", "options"), [(BALANCED_SCENE, {}), (SCENE, EQUAL)], ids=["balanced", "equal"])
def test_equal_energy_is_equal_within_a_factor_of_four(source: Rendered, options: dict[str, dict[str, object]]) -> None:
    energies = _energies(source, options)
    assert energies.max() / energies.min() < 4


def test_natural_energy_of_the_scene_is_not_equal() -> None:
    energies = _energies(SCENE, {"scene": {"hue_range": 1.0, "shape": "continuous", "energy": "natural"}})
    assert energies.max() / energies.min() > 20


@pytest.mark.parametrize(
    ("law", "variance", "kurtosis"),
    [
        ("uniform", 1 / 12, 1.8),
        ("arcsine", 1 / 8, 1.5),
        ("gaussian", 1 / 56.25, 3.0),
        ("laplace", 0.9686 / 56.25, 4.956),
    ],
)
def test_factors_follow_their_law(law: str, variance: float, kurtosis: float) -> None:
    """Clipped at 3.75 standard deviations, a laplace law has .969 of its variance and a kurtosis of 4.96."""
    values = (
        nid.load_dataset("balanced_scene", n=6000, law=law).samples[list(BALANCED_SCENE.factors)].to_numpy().ravel()
    )
    assert values.mean() == pytest.approx(0.5, abs=0.005)
    assert values.var() == pytest.approx(variance, rel=0.06)
    assert ((values - values.mean()) ** 4).mean() / values.var() ** 2 == pytest.approx(kurtosis, rel=0.08)


def test_levels_are_few_and_equally_far_apart() -> None:
    data = nid.load_dataset("sprites", n=400, levels=5)
    for name in SPRITES.factors:
        assert sorted(data.samples[name].unique()) == pytest.approx([0, 0.25, 0.5, 0.75, 1])


def test_a_discrete_shape_is_one_of_four_solids() -> None:
    at = np.full((80, 6), 0.5)
    at[:, 4] = np.linspace(0, 1, 80)
    images = SCENE.render(at, hue_range=1.0, shape="discrete", energy="natural")
    assert len(np.unique(images.reshape(80, -1).round(5), axis=0)) == 4

"""What holds for every rendered dataset: factors follow their law, and images follow the factors without jumps."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import pytest

import nearid_core as nid
from nearid_core.datasets import DATASETS, _balanced_scene_render, _scene_render, _sprites_render
from nearid_core.datasets._rendered import BLOCK, REACH, Render, draw_factors, render_in_blocks

NAMES = ("sprites", "scene", "balanced_scene")
RENDERS: dict[str, tuple[Render, tuple[str, ...]]] = {
    "sprites": (_sprites_render.render, _sprites_render.FACTORS),
    "scene": (_scene_render.render, _scene_render.FACTORS),
    "discrete scene": (partial(_scene_render.render, shape="discrete"), _scene_render.FACTORS),
    "balanced_scene": (_balanced_scene_render.render, _balanced_scene_render.FACTORS),
}
EACH_FACTOR = [(name, j) for name, (_, factors) in RENDERS.items() for j in range(len(factors))]


def random_factors(name: str, n: int = 256, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).random((n, len(RENDERS[name][1])))


@pytest.mark.parametrize("name", NAMES)
def test_a_rendered_dataset_knows_its_factors(name: str) -> None:
    dataset = nid.load_dataset(name, n=200)
    assert dataset.images is not None
    assert dataset.images.shape == (200, 1 if name == "sprites" else 3, 32, 32)
    assert dataset.features.dtype == np.float32
    assert 0 <= dataset.features.min() < dataset.features.max() <= 1
    assert dataset.label is None
    assert list(dataset.samples.columns) == ["sample_id", "split", *dataset.factor_names]
    factors = dataset.samples[list(dataset.factor_names)].to_numpy()
    assert 0 <= factors.min() < 0.05
    assert 0.95 < factors.max() <= 1
    assert (dataset.samples["split"] == "test").sum() == 90
    render = RENDERS[name][0]
    np.testing.assert_allclose(render_in_blocks(render, factors), dataset.images, atol=1e-6)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("law", REACH)
def test_the_first_images_are_the_same_however_many_there_are(name: str, law: str) -> None:
    few, more = (nid.load_dataset(name, n=n, law=law) for n in (BLOCK - 3, 2 * BLOCK + 5))
    np.testing.assert_array_equal(few.features, more.features[: BLOCK - 3])
    told = [column for column in few.samples if column != "split"]  # exactly 45% of the samples there are
    pd.testing.assert_frame_equal(few.samples[told], more.samples[told][: BLOCK - 3])


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_renders_the_same_images_and_another_does_not(name: str) -> None:
    first, again, other = (nid.load_dataset(name, n=40, seed=seed) for seed in (3, 3, 4))
    assert first.digest == again.digest
    assert first.digest != other.digest


# Of a laplace of variance 1, exp(-k) lies beyond 3.5 for k = 3.5 sqrt 2, and clipping leaves 1 - exp(-k) (1 + k)
EXCESS = {"uniform": -1.2, "arcsine": -1.5, "gaussian": 0.0, "laplace": 3.0}  # kurtosis of each law


@pytest.mark.parametrize("law", REACH)
def test_a_law_has_its_moments_and_is_seldom_clipped(law: str) -> None:
    factors = draw_factors(np.random.default_rng(0), 50_000, law, [None] * 4)
    assert factors.min() >= 0
    assert factors.max() <= 1
    standard = (factors - 0.5) * 2 * REACH[law]
    np.testing.assert_allclose(standard.mean(0), 0, atol=0.02)
    clipped, variance = {"gaussian": (4.7e-4, 0.998), "laplace": (7.1e-3, 0.958)}.get(law, (0.0, 1.0))
    np.testing.assert_allclose(standard.var(0), variance, atol=0.02)
    assert ((factors == 0) | (factors == 1)).mean() == pytest.approx(clipped, abs=1e-3)
    if law != "laplace":  # clipping takes the tails that the fourth moment of laplace is made of
        np.testing.assert_allclose((standard**4).mean(0) - 3, EXCESS[law], atol=0.15)
    assert np.abs(np.corrcoef(factors.T) - np.eye(4)).max() < 0.02


@pytest.mark.parametrize("levels", [2, 5, 10])
def test_levels_are_equally_spaced_and_under_the_uniform_law_equally_frequent(levels: int) -> None:
    dataset = nid.load_dataset("sprites", n=4000, levels=levels)
    for name in dataset.factor_names:
        counts = dataset.samples[name].value_counts().sort_index()
        np.testing.assert_allclose(counts.index.to_numpy(), np.linspace(0, 1, levels))
        np.testing.assert_allclose(counts / 4000, 1 / levels, atol=0.03)


def test_a_discrete_shape_has_four_values_and_the_other_factors_as_many_as_before() -> None:
    samples = nid.load_dataset("scene", n=200, shape="discrete").samples
    np.testing.assert_allclose(np.unique(samples["shape"]), [0, 1 / 3, 2 / 3, 1])
    assert samples["scale"].nunique() == 200


@pytest.mark.parametrize(("name", "j"), EACH_FACTOR)
def test_each_factor_changes_each_image(name: str, j: int) -> None:
    render = RENDERS[name][0]
    low, high = random_factors(name), random_factors(name)
    low[:, j], high[:, j] = 0.1, 0.9
    changed = np.abs(render_in_blocks(render, high) - render_in_blocks(render, low))
    assert (changed.max((1, 2, 3)) > 0.05).all()


@pytest.mark.parametrize(("name", "j"), EACH_FACTOR)
def test_images_change_less_and_less_for_smaller_steps_and_never_jump(name: str, j: int) -> None:
    render, factors = RENDERS[name]
    if (name, factors[j]) == ("discrete scene", "shape"):
        return  # kinds are apart
    before = random_factors(name, 512, seed=1)
    before[:, j] *= 0.98
    largest = []
    for step in (1e-2, 1e-3, 1e-4):
        after = before.copy()
        after[:, j] += step
        largest.append(np.abs(render_in_blocks(render, after) - render_in_blocks(render, before)).max())
    assert largest[1] < 0.25 * largest[0]
    assert largest[2] < 0.25 * largest[1]
    assert largest[2] < 0.005, "a step of 1/255 is not seen"


def test_digits_come_first_in_every_menu_and_the_favourable_case_is_called_one() -> None:
    assert nid.dataset_names()[0] == "digits"
    assert set(NAMES) < set(nid.dataset_names())
    assert "a constructed favourable case" in DATASETS["balanced_scene"].description


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_setting_is_one_sentence(name: str) -> None:
    with pytest.raises(nid.InvalidInput, match=r"levels is 1; expected a whole number from 2"):
        nid.load_dataset(name, levels=1)
    with pytest.raises(nid.InvalidInput, match="did you mean 'gaussian'"):
        nid.load_dataset(name, law="gausian")

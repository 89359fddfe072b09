"""The mixing distorts exactly as much as it says, and the sources are what they say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nearid_core as nid
from nearid_core.datasets.nonlinear_mixing import LAWS, SmoothMixing, random_mixing


def jacobians(mixing: SmoothMixing, points: np.ndarray) -> np.ndarray:
    """(N, observed, sources) by central differences."""
    step = 1e-5
    moves = step * np.eye(points.shape[1])
    columns = [(mixing(points + move) - mixing(points - move)) / (2 * step) for move in moves]
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize(("condition", "layers"), [(1.0, 1), (3.0, 1), (3.0, 2), (20.0, 3)])
def test_singular_values_of_the_jacobian_stay_within_the_bounds(condition: float, layers: int) -> None:
    rng = np.random.default_rng(0)
    mixing = random_mixing(rng, sources=3, observed=8, layers=layers, condition=condition)
    lowest, highest = mixing.bounds
    assert mixing.condition == pytest.approx(condition)
    values = np.linalg.svd(jacobians(mixing, rng.standard_normal((500, 3))), compute_uv=False)
    assert values.min() >= lowest - 1e-8
    assert values.max() <= highest + 1e-8


def test_a_mixing_of_one_source_in_one_dimension_reaches_its_bounds() -> None:
    mixing = random_mixing(np.random.default_rng(0), sources=1, observed=1, layers=1, condition=4.0)
    slopes = jacobians(mixing, np.linspace(-4, 4, 4001)[:, None])
    assert np.abs(slopes).min() == pytest.approx(mixing.bounds[0], abs=1e-4)
    assert np.abs(slopes).max() == pytest.approx(mixing.bounds[1], abs=1e-4)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    condition=st.floats(1, 50),
    layers=st.integers(1, 4),
    sources=st.integers(1, 4),
    extra=st.integers(0, 5),
)
def test_every_distance_is_stretched_by_a_factor_within_the_bounds(
    seed: int, condition: float, layers: int, sources: int, extra: int
) -> None:
    rng = np.random.default_rng(seed)
    mixing = random_mixing(rng, sources, sources + extra, layers, condition)
    one, other = rng.standard_normal((2, 50, sources))
    before = np.linalg.norm(one - other, axis=1)
    after = np.linalg.norm(mixing(one) - mixing(other), axis=1)
    assert (after <= before * mixing.bounds[1] * (1 + 1e-9)).all()
    assert (after >= before * mixing.bounds[0] * (1 - 1e-9)).all()


def test_condition_one_keeps_every_distance() -> None:
    data = nid.load_dataset("nonlinear_mixing", n=200, condition=1)
    sources = data.samples[list(data.factor_names)].to_numpy()
    before = np.linalg.norm(sources[1:] - sources[:-1], axis=1)
    after = np.linalg.norm(np.diff(data.features.astype(float), axis=0), axis=1)
    np.testing.assert_allclose(after, before, rtol=1e-5)


@pytest.mark.parametrize("law", LAWS)
def test_sources_are_independent_with_mean_zero_and_variance_one(law: str) -> None:
    data = nid.load_dataset("nonlinear_mixing", n=20_000, law=law, sources=3)
    sources = data.samples[["source_1", "source_2", "source_3"]].to_numpy()
    np.testing.assert_allclose(sources.mean(0), 0, atol=0.03)
    np.testing.assert_allclose(np.cov(sources.T), np.eye(3), atol=0.05)


def test_the_same_seed_draws_the_same_data_and_another_does_not() -> None:
    first, again = (nid.load_dataset("nonlinear_mixing", n=50, seed=3) for _ in range(2))
    assert first.digest == again.digest
    assert first.digest != nid.load_dataset("nonlinear_mixing", n=50, seed=4).digest
    assert (first.samples["split"] == "test").sum() == 25


def test_fewer_features_than_sources_is_one_sentence() -> None:
    with pytest.raises(nid.InvalidInput, match=r"observed is 3 and sources is 5; .* set observed to 5 or more"):
        nid.load_dataset("nonlinear_mixing", sources=5, observed=3)


def test_an_unknown_law_names_the_nearest() -> None:
    with pytest.raises(nid.InvalidInput, match="did you mean 'laplace'"):
        nid.load_dataset("nonlinear_mixing", law="laplacian")

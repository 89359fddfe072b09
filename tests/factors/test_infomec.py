"""InfoMEC beyond the published values: invariances, chance, degenerate input."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nearid_core as nid
from nearid_core.factors.modularity import compactness, modularity

N = 600


def _factors(seed: int = 0, count: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).uniform(size=(N, count))


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 1000))
def test_permuting_flipping_and_scaling_latents_changes_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    factors = _factors(seed)
    latents = factors @ rng.normal(size=(3, 3))
    order = rng.permutation(3)
    moved = 5 - 2 * latents[:, order]
    plain, changed = (nid.infomec(z, factors, permutations=0, halves=0) for z in (latents, moved))
    for name in ("modularity", "compactness", "explicitness"):
        assert getattr(plain, name) == pytest.approx(getattr(changed, name), abs=1e-3)
    assert plain.nmi.to_numpy()[:, order] == pytest.approx(changed.nmi.to_numpy(), abs=1e-6)


def test_a_perfect_code_scores_one_and_chance_is_far_from_zero() -> None:
    factors = _factors()
    perfect = nid.infomec(factors, factors, permutations=19, halves=10)
    assert perfect.modularity > 0.97
    assert perfect.compactness > 0.97
    assert perfect.null.loc["modularity", "p_value"] <= 0.1
    assert 0.3 < perfect.null.loc["modularity", "null_mean"] < 0.95
    noise = nid.infomec(np.random.default_rng(1).normal(size=(N, 3)), factors, permutations=19, halves=10)
    assert noise.modularity > 0.3
    assert noise.null.loc["modularity", "p_value"] > 0.05
    assert noise.explicitness_heldout < 0.05


def test_the_interval_of_noise_holds_its_score() -> None:
    """A bootstrap would not: its doubled points inflate the estimate of every pair."""
    factors, noise = _factors(), np.random.default_rng(2).normal(size=(N, 3))
    found = nid.infomec(noise, factors, permutations=0, halves=40)
    row = found.null.loc["modularity"]
    assert row["low"] < found.modularity < row["high"]


def test_collapse_is_praised_by_infom_and_seen_by_mcc() -> None:
    factors = _factors(count=5)
    collapsed = np.hstack([factors[:, :1], 1e-3 * np.random.default_rng(0).normal(size=(N, 4))])
    found = nid.infomec(collapsed, factors, permutations=0, halves=0)
    assert found.active.tolist() == [True, False, False, False, False]
    assert found.modularity > 0.9
    report = nid.score_factors(collapsed, factors, permutations=0, halves=0, scores=("mcc",), spaces=("raw",))
    assert report.table.set_index("score").loc["mcc", "value"] < 0.4


def test_the_same_seed_gives_the_same_numbers() -> None:
    factors = _factors()
    latents = np.round(factors, 1)  # ties, which are broken at random
    first, second = (nid.infomec(latents, factors, permutations=5, halves=5, seed=3) for _ in range(2))
    assert first.modularity == second.modularity
    pd.testing.assert_frame_equal(first.null, second.null)


def test_degenerate_input_is_answered() -> None:
    factors = _factors()
    constant = np.column_stack([factors[:, 0], np.ones(N)])
    with_constant_factor = nid.infomec(factors, constant, permutations=3, halves=3)
    assert np.isnan(with_constant_factor.modularity)  # one factor is left
    assert any("is constant" in note for note in with_constant_factor.notes)
    with_constant_latent = nid.infomec(constant, factors, permutations=3, halves=3)
    assert with_constant_latent.active.tolist() == [True, False]
    assert np.isnan(with_constant_latent.compactness)
    assert with_constant_latent.modularity > 0.9
    nothing = nid.infomec(np.ones((N, 2)), factors, permutations=3, halves=3)
    assert not nothing.active.any()
    assert np.isnan(nothing.modularity)
    assert np.isnan(nothing.compactness)
    codes = nid.infomec((factors * 5).astype(int), (factors * 5).astype(int), permutations=0, halves=0)
    assert codes.modularity == pytest.approx(1, abs=0.05)


def test_a_latent_that_says_nothing_and_a_factor_nobody_says_do_not_count() -> None:
    nmi = np.array([[0.8, 0.0, 0.0], [0.0, 0.4, 0.0], [0.0, 0.0, 0.0]])  # factors by latents
    assert modularity(nmi) == 1.0
    assert compactness(nmi) == 1.0
    assert np.isnan(modularity(np.zeros((3, 2))))
    assert np.isnan(modularity(nmi[:1]))
    assert modularity(np.full((4, 2), 0.3)) == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("latents", "factors", "words"),
    [
        (np.ones((30, 2)), np.ones((29, 1)), "30 rows of latents and 29 of factors"),
        (np.full((30, 2), np.nan), np.ones((30, 1)), "NaN"),
        (np.ones(30), np.ones((30, 1)), "matrix of numbers"),
        (np.ones((10, 2)), np.ones((10, 1)), "10 samples"),
        (np.ones((30, 2)), np.array([[np.nan]] * 30), "no value in 30 of 30"),
        (np.ones((30, 2)), np.array([[f"name {row}"] for row in range(30)]), "hardly repeats"),
        (np.ones((30, 2)), np.full((30, 1), np.inf), "infinite"),
    ],
)
def test_bad_input_is_named(latents: np.ndarray, factors: np.ndarray, words: str) -> None:
    with pytest.raises(nid.InvalidInput, match=words):
        nid.infomec(latents, factors)


def test_an_unknown_variant_is_named_with_the_nearest() -> None:
    with pytest.raises(nid.InvalidInput, match="did you mean 'reference'"):
        nid.infomec(_factors(), _factors(), variant="referenc")

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nearid_core.components import heldout_mask, whiten
from nearid_core.errors import InvalidInput


def low_rank(rng, n=500, rank=3, width=6):
    return rng.laplace(size=(n, rank)) @ rng.normal(size=(rank, width)) + 100.0


def test_whitened_rows_have_zero_mean_and_identity_covariance():
    values = low_rank(np.random.default_rng(0))
    white = whiten(values).transform(values)
    np.testing.assert_allclose(white.mean(axis=0), 0.0, atol=1e-10)
    np.testing.assert_allclose(white.T @ white / len(white), np.eye(3), atol=1e-10)


def test_zca_is_the_symmetric_inverse_square_root_of_the_covariance():
    values = np.random.default_rng(1).normal(size=(300, 4)) @ np.diag([1.0, 2.0, 3.0, 4.0])
    centred = values - values.mean(axis=0)
    eigenvalues, vectors = np.linalg.eigh(centred.T @ centred / len(values))
    expected = centred @ (vectors / np.sqrt(eigenvalues)) @ vectors.T
    np.testing.assert_allclose(whiten(values).zca(values), expected, atol=1e-9)


def test_whitening_goes_back_to_the_values():
    values = low_rank(np.random.default_rng(2))
    whitening = whiten(values)
    np.testing.assert_allclose(whitening.inverse_transform(whitening.transform(values)), values, atol=1e-8)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_rounding_of_the_stored_dtype_is_not_a_direction(dtype):
    values = low_rank(np.random.default_rng(3)).astype(dtype)
    assert whiten(values).rank == 3


def test_nan_is_refused_with_its_place():
    values = np.zeros((5, 3))
    values[2, 1] = np.nan
    with pytest.raises(InvalidInput, match="row 2, column 1"):
        whiten(values)


def test_constant_values_are_refused():
    with pytest.raises(InvalidInput, match="constant"):
        whiten(np.full((50, 3), 7.3, np.float32))


def test_as_many_rows_as_directions_are_refused():
    with pytest.raises(InvalidInput, match="more samples than columns"):
        whiten(np.random.default_rng(4).normal(size=(4, 3))[:3])


@given(st.lists(st.text(max_size=8), unique=True, min_size=2, max_size=40), st.integers(0, 5), st.randoms())
def test_a_sample_stays_on_its_side_whatever_the_others_are(ids, seed, random):
    side = dict(zip(ids, heldout_mask(ids, seed), strict=True))
    shuffled = random.sample(ids, k=max(1, len(ids) // 2))
    assert [side[one] for one in shuffled] == list(heldout_mask(shuffled, seed))


def test_half_of_the_samples_are_held_out_and_another_seed_holds_out_others():
    ids = [f"s{i}" for i in range(4000)]
    first, second = heldout_mask(ids, 0), heldout_mask(ids, 1)
    assert abs(first.mean() - 0.5) < 0.03
    assert abs((first == second).mean() - 0.5) < 0.03

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nearid_core.align import Identity, Linear, Permutation, Rigid, SignedPermutation, Similarity
from nearid_core.align.groups import pad
from nearid_core.components import random_rotation
from nearid_core.errors import InvalidInput

LADDER = (Identity, Permutation, SignedPermutation, Rigid, Similarity, Linear)


def rms(group, other, reference):
    predicted = group().fit(other, reference).transform(other)
    return np.sqrt(((pad(reference, predicted.shape[1]) - predicted) ** 2).sum(axis=1).mean())


def draw(seed, n=60, width=4):
    return np.random.default_rng(seed).laplace(size=(n, width))


def test_rigid_recovers_a_rotation_to_1e_6():
    z, q = draw(0, 500, 6), random_rotation(6, np.random.default_rng(1))
    alignment = Rigid().fit(z, z @ q + 3.0)
    np.testing.assert_allclose(alignment.matrix_, q, atol=1e-6)
    np.testing.assert_allclose(alignment.transform(z), z @ q + 3.0, atol=1e-6)


def test_signed_permutation_recovers_a_signed_permutation_with_a_shift_exactly():
    z, order, sign = draw(2, 200, 5), [3, 0, 4, 1, 2], np.array([1.0, -1.0, -1.0, 1.0, -1.0])
    reference = z[:, order] * sign + np.arange(5.0)
    alignment = SignedPermutation().fit(z, reference)
    expected = np.zeros((5, 5))
    expected[order, np.arange(5)] = sign
    np.testing.assert_array_equal(alignment.matrix_, expected)
    np.testing.assert_allclose(alignment.transform(z), reference, atol=1e-12)


def test_permutation_does_not_flip():
    z = draw(3, 200, 3)
    assert (Permutation().fit(z, -z).matrix_ >= 0).all()


def test_similarity_recovers_a_scale():
    z, q = draw(4, 300, 3), random_rotation(3, np.random.default_rng(5))
    alignment = Similarity().fit(z, 2.5 * z @ q)
    assert alignment.scale_ == pytest.approx(2.5, abs=1e-9)
    np.testing.assert_allclose(alignment.matrix_, q, atol=1e-9)


def test_linear_is_least_squares():
    other, reference = draw(6, 100, 4), draw(7, 100, 3)
    design = np.column_stack([other, np.ones(100)])
    expected = np.linalg.lstsq(design, reference, rcond=None)[0]
    alignment = Linear().fit(other, reference)
    np.testing.assert_allclose(alignment.matrix_, expected[:4], atol=1e-9)
    np.testing.assert_allclose(alignment.offset_, expected[4], atol=1e-9)


def test_linear_ignores_directions_that_hold_only_rounding():
    low_rank = (draw(8, 300, 2) @ draw(9, 2, 6)).astype(np.float16)
    alignment = Linear().fit(low_rank, draw(10, 300, 3))
    assert alignment.rank_ == 2
    assert np.abs(alignment.matrix_).max() < 10


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 5), st.integers(1, 5))
def test_in_sample_rms_is_ordered_by_nesting(seed, width_other, width_reference):
    other, reference = draw(seed, 40, width_other), draw(seed + 1, 40, width_reference)
    errors = [rms(group, other, reference) for group in LADDER]
    assert all(looser <= tighter + 1e-9 for tighter, looser in itertools.pairwise(errors))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_rigid_error_does_not_change_under_rotation_or_shift_of_either_run(seed):
    a, b, rng = draw(seed), draw(seed + 1), np.random.default_rng(seed)
    turned = a @ random_rotation(4, rng) + rng.normal(size=4), b @ random_rotation(4, rng) + rng.normal(size=4)
    assert rms(Rigid, *turned) == pytest.approx(rms(Rigid, a, b), rel=1e-9)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000))
def test_linear_error_does_not_change_under_an_invertible_map_of_the_other_run(seed):
    a, b = draw(seed), draw(seed + 1)
    warp = np.eye(4) + 0.3 * np.random.default_rng(seed).uniform(-1, 1, size=(4, 4))
    assert rms(Linear, b @ warp, a) == pytest.approx(rms(Linear, b, a), rel=1e-6)


@pytest.mark.parametrize(("narrow", "wide"), [(2, 4), (4, 2), (3, 3)])
@pytest.mark.parametrize("group", [Permutation, SignedPermutation])
def test_assignment_with_padding_is_the_best_of_all(group, narrow, wide):
    other, reference = draw(11, 30, narrow), draw(12, 30, wide)
    width = max(narrow, wide)
    b, a = (pad(z - z.mean(axis=0), width) for z in (other, reference))
    signs = list(itertools.product([1.0] if group is Permutation else [1.0, -1.0], repeat=width))
    best = min(
        np.sqrt(((a - b[:, order] * np.array(sign)) ** 2).sum(axis=1).mean())
        for order in map(list, itertools.permutations(range(width)))
        for sign in signs
    )
    assert rms(group, other, reference) == pytest.approx(best, rel=1e-12)


def test_a_wider_run_is_mapped_onto_padding():
    alignment = Rigid().fit(draw(13, 50, 5), draw(14, 50, 3))
    assert alignment.matrix_.shape == (5, 5)
    assert Linear().fit(draw(13, 50, 5), draw(14, 50, 3)).matrix_.shape == (5, 3)


def test_groups_are_scikit_learn_estimators():
    from sklearn.base import clone
    from sklearn.exceptions import NotFittedError

    assert clone(Rigid()).get_params() == {}
    with pytest.raises(NotFittedError):
        Rigid().transform(np.eye(3))


@pytest.mark.parametrize(
    ("other", "reference", "said"),
    [
        (np.eye(4), np.eye(5), "4 and 5 rows"),
        (np.full((4, 2), np.nan), np.eye(4), "NaN"),
        (np.ones((4, 2)), np.eye(4), "constant"),
        (np.arange(4), np.eye(4), r"shape \(4,\)"),
        (np.array([["a"]]), np.eye(1), "matrix of numbers"),
    ],
)
def test_arrays_that_cannot_be_aligned_are_refused(other, reference, said):
    with pytest.raises(InvalidInput, match=said):
        Rigid().fit(other, reference)

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nearid_core.batches.variance import one_way, one_way_without, permutation_null, shared_part
from nearid_core.components import random_rotation

RNG = np.random.default_rng(0)


def test_eta2_and_omega2_of_a_textbook_table() -> None:
    """Groups {1, 2, 3}, {2, 3, 4}, {6, 7, 8}: between 42, total 48; omega^2 = (42 - 2 * 1) / (48 + 1)."""
    found = one_way(np.array([[1, 2, 3, 2, 3, 4, 6, 7, 8.0]]).T, np.repeat([0, 1, 2], 3))
    np.testing.assert_allclose(found.between, [42.0])
    np.testing.assert_allclose(found.eta2, [42 / 48])
    np.testing.assert_allclose(found.omega2, [40 / 49])


def test_groups_that_mean_nothing_have_the_eta2_of_chance_and_no_omega2() -> None:
    values, codes = RNG.normal(size=(2000, 200)), RNG.integers(50, size=2000)
    found = one_way(values, codes)
    assert found.chance == pytest.approx(49 / 1999)
    assert found.eta2.mean() == pytest.approx(found.chance, rel=0.05)
    assert abs(found.omega2.mean()) < 0.001


def test_rows_without_a_group_do_not_count() -> None:
    values, codes = RNG.normal(size=(60, 3)), RNG.integers(-1, 4, size=60)
    known = codes >= 0
    np.testing.assert_allclose(one_way(values, codes).eta2, one_way(values[known], codes[known]).eta2)


@given(st.integers(0, 10_000))
def test_mean_eta2_of_whitened_rows_does_not_see_a_rotation(seed: int) -> None:
    rng = np.random.default_rng(seed)
    white = np.linalg.qr(rng.normal(size=(80, 6)) - 0.0)[0]
    white = np.linalg.qr(white - white.mean(axis=0))[0]
    codes = rng.integers(5, size=80)
    turned = white @ random_rotation(6, rng)
    assert one_way(turned, codes).eta2.mean() == pytest.approx(one_way(white, codes).eta2.mean(), abs=1e-12)


def test_leaving_blocks_out_is_what_leaving_their_rows_out_is() -> None:
    values = RNG.normal(size=(200, 4)) + 1e3
    codes, blocks = RNG.integers(-1, 6, size=200), RNG.integers(5, size=200)
    for block, found in enumerate(one_way_without(values, codes, blocks)):
        expected = one_way(values[blocks != block], codes[blocks != block])
        np.testing.assert_allclose(found.between, expected.between, rtol=1e-9)
        np.testing.assert_allclose(found.total, expected.total, rtol=1e-9)
        assert (found.n, found.groups) == (expected.n, expected.groups)


def test_the_shared_part_is_nothing_when_balanced_and_everything_when_nested() -> None:
    batch, label = np.repeat([0, 1, 2, 3], 60), np.tile(np.arange(5), 48)
    values = RNG.normal(size=(240, 3)) + RNG.normal(size=(4, 3))[batch] + RNG.normal(size=(5, 3))[label]
    np.testing.assert_allclose(shared_part(values, batch, label), 0.0, atol=1e-12)
    halves = 2 * batch + np.tile([0, 1], 120)  # every label in one batch
    np.testing.assert_allclose(shared_part(values, batch, halves), one_way(values, batch).eta2, atol=1e-12)


def test_the_shared_part_is_that_of_least_squares_where_unbalanced() -> None:
    batch, label = RNG.integers(4, size=300), RNG.integers(6, size=300)
    label = np.where(RNG.random(300) < 0.5, batch, label)
    values = RNG.normal(size=(300, 2)) + RNG.normal(size=(4, 2))[batch]
    design = np.hstack([np.eye(4)[batch], np.eye(6)[label]])
    centred = values - values.mean(axis=0)
    rest = centred - design @ np.linalg.lstsq(design, centred, rcond=None)[0]
    both = 1 - (rest**2).sum(axis=0) / (centred**2).sum(axis=0)
    expected = one_way(values, batch).eta2 + one_way(values, label).eta2 - both
    np.testing.assert_allclose(shared_part(values, batch, label), expected, atol=1e-10)


def test_the_null_of_labels_permuted_within_batches_keeps_what_the_batches_explain() -> None:
    """Labels nested in batches: permuting them within a batch cannot take the batches' part away."""
    batch = np.repeat([0, 1], 100)
    label = 2 * batch + RNG.integers(2, size=200)
    values = np.where(batch == 0, 0.0, 5.0)[:, None] + RNG.normal(size=(200, 1))
    free, within = (permutation_null(values, label, strata, 40, 0) for strata in (None, batch))
    assert free.mean() < 0.05
    assert within.min() > 0.8

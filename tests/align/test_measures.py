import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist

from nearid_core.align import controls
from nearid_core.align.diameters import diameter
from nearid_core.align.intervals import jackknife, mean_intervals, quantile, quantile_intervals
from nearid_core.align.verdict import number, tightest_group


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 300), st.integers(1, 6))
def test_diameter_is_the_largest_pairwise_distance(seed, n, width):
    values = np.random.default_rng(seed).standard_t(3, size=(n, width)) * 5 + 100
    found = diameter(values)
    assert found.exact
    assert found.value == pytest.approx(pdist(values).max(), rel=1e-9)


def test_diameter_of_points_on_a_sphere_is_proved():
    values = np.random.default_rng(0).normal(size=(3000, 8))
    values /= np.linalg.norm(values, axis=1, keepdims=True)
    assert diameter(values).value == pytest.approx(pdist(values).max(), rel=1e-9)


def test_a_diameter_that_is_not_proved_says_so_and_is_a_lower_bound():
    values = np.random.default_rng(1).normal(size=(3000, 64))
    found = diameter(values, budget=1e3)
    assert not found.exact
    assert found.value <= pdist(values).max() * (1 + 1e-12)


def test_quantile_interval_covers_the_quantile_as_often_as_it_says():
    rng = np.random.default_rng(2)
    limits = quantile_intervals(rng.exponential(size=(4000, 200)), 0.9)
    covered = (limits[:, 0] <= np.log(10)) & (np.log(10) <= limits[:, 1])
    assert 0.945 <= covered.mean() <= 0.985  # discrete: at least the nominal level


def test_too_few_samples_have_no_upper_limit():
    low, high = quantile_intervals(np.random.default_rng(3).exponential(size=(1, 20)), 0.95)[0]
    assert np.isfinite(low)
    assert np.isnan(high)


def test_quantile_is_the_value_that_the_profile_reaches():
    assert quantile(np.arange(1, 101)[None], 0.95)[0] == 95


def test_mean_interval_has_the_width_of_the_normal_theory():
    residuals = np.random.default_rng(4).exponential(size=(3, 1000))
    limits = mean_intervals(residuals)
    expected = 2 * 1.96 * residuals.std(axis=1) / np.sqrt(1000)
    np.testing.assert_allclose(np.diff(limits)[:, 0], expected, rtol=0.12)


def test_jackknife_of_independent_runs_is_students_interval():
    from scipy.stats import t

    rng = np.random.default_rng(5)
    effect = rng.normal(size=6)
    pairs = [(a, b) for a in range(6) for b in range(6) if a != b]
    values = np.array([effect[a] + effect[b] for a, b in pairs])  # its mean is twice the mean effect
    low, high = jackknife(pairs, lambda mask: float(values[mask].mean()))
    half = t.ppf(0.975, 5) * 2 * effect.std(ddof=1) / np.sqrt(6)
    assert (high - low) / 2 == pytest.approx(half, rel=1e-9)


def test_jackknife_needs_three_runs():
    assert np.isnan(jackknife([("a", "b"), ("b", "a")], lambda mask: 1.0)).all()


def test_class_mean_beats_the_mean_only_where_classes_matter():
    rng = np.random.default_rng(6)
    labels = rng.integers(4, size=2000)
    centres = rng.normal(size=(4, 3)) * 5
    values = centres[labels] + rng.normal(size=(2000, 3))
    error = controls.class_mean_error(values[:1000], labels[:1000], values[1000:], labels[1000:])
    expected = np.linalg.norm(rng.normal(size=(100_000, 3)), axis=1).mean()
    assert error == pytest.approx(expected, rel=0.05)


def test_a_class_that_was_not_seen_gets_the_overall_mean():
    fit, target = np.array([[0.0], [0.0], [2.0], [2.0]]), np.array([[1.0]])
    assert controls.class_mean_error(target, np.array([7]), fit, np.array([0, 0, 1, 1])) == 0.0


def test_shuffles_within_classes_stay_within_classes():
    labels = np.random.default_rng(7).integers(5, size=300)
    orders = controls.shuffles_within(labels, 20, np.random.default_rng(8))
    assert (labels[orders] == labels).all()
    assert (np.sort(orders, axis=1) == np.arange(300)).all()
    assert (orders != np.arange(300)).mean() > 0.9


def test_shuffled_errors_are_those_of_the_shuffled_prediction():
    rng = np.random.default_rng(9)
    predicted, target = rng.normal(size=(2, 50, 3))
    orders = controls.shuffles(50, 7, rng)
    expected = [np.linalg.norm(target - predicted[order], axis=1).mean() for order in orders]
    np.testing.assert_allclose(controls.shuffled_errors(predicted, target, orders), expected)


def test_p_value_counts_the_observation():
    assert controls.p_value(0.0, np.ones(99)) == 0.01
    assert controls.p_value(2.0, np.ones(99)) == 1.0


def latent(**r2):
    return pd.DataFrame({"r2": r2, "mean": 0.1, "class_mean": 0.3})


def test_the_tightest_group_that_holds_is_named():
    assert tightest_group(latent(identity=0.1, ica=0.7, rigid=0.93, linear=0.95)) == "rigid"
    assert tightest_group(latent(identity=0.94, rigid=0.95, linear=0.95)) == "identity"
    assert tightest_group(latent(rigid=0.80, linear=0.95)) == "linear"
    assert tightest_group(latent(rigid=0.50, linear=0.60)) is None


def test_no_group_holds_where_the_class_mean_does_as_well():
    assert tightest_group(latent(rigid=0.95, linear=0.95).assign(class_mean=0.05)) is None


@pytest.mark.parametrize(("value", "text"), [(0.12, ".12"), (1.5, "1.50"), (0.0, "0"), (2e-7, "2e-07"), (-0.3, "-.30")])
def test_errors_are_written_as_the_field_does(value, text):
    assert number(value) == text

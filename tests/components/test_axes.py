import numpy as np
import pytest

from nearid_core.components import correlations, fit_components
from nearid_core.components.axes import axis_gains, least_gain
from nearid_core.components.diagnostics import square_dependence
from nearid_core.components.ica import random_rotation


def gain(columns):
    fit, heldout = columns[::2], columns[1::2]
    return axis_gains(fit, heldout, square_dependence(heldout))


def elliptical(rng, n, d=2):
    return rng.normal(size=(n, d)) * rng.exponential(size=(n, 1))


def sphere(rng, n, d=3):
    points = rng.normal(size=(n, d))
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def test_an_elliptical_pair_gains_nothing_and_its_gain_is_standard_normal():
    rng = np.random.default_rng(0)
    z = np.array([gain(elliptical(rng, 1000))[0, 1] for _ in range(200)])
    assert abs(z.mean()) < 0.2
    assert abs(z.std() - 1) < 0.15


def test_axes_that_are_there_gain_even_when_their_squares_depend():
    rng = np.random.default_rng(1)
    shared_scale = rng.laplace(size=(8000, 2)) * np.exp(0.4 * rng.normal(size=(8000, 1)))
    assert gain(shared_scale)[0, 1] > 5
    turned = shared_scale @ np.array([[1, 1], [-1, 1]]) / np.sqrt(2)
    assert gain(turned)[0, 1] < -5


def test_independent_components_are_not_asked():
    independent = np.random.default_rng(2).laplace(size=(4000, 3))
    assert np.isnan(least_gain(gain(independent))).all()


@pytest.mark.parametrize("block", [elliptical, sphere])
@pytest.mark.parametrize("held_out", [True, False])
def test_an_elliptical_block_is_never_identified(block, held_out):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        sources = np.column_stack([block(rng, 8000), rng.laplace(size=(8000, 2))])
        values = sources @ random_rotation(sources.shape[1], rng)
        half = len(values) // 2
        fit, heldout = (values[:half], values[half:]) if held_out else (values, None)
        found = fit_components(fit, heldout=heldout, restarts=2, seed=seed)
        source = np.abs(correlations(found.transform(values), sources)).argmax(axis=1)
        np.testing.assert_array_equal(found.diagnostics["identified"], source >= sources.shape[1] - 2)


def test_components_of_clusters_stay_identified():
    rng = np.random.default_rng(4)
    centres = 3 * rng.normal(size=(10, 6))
    values = centres[rng.integers(10, size=8000)] + rng.normal(size=(8000, 6))
    diagnostics = fit_components(values[:4000], heldout=values[4000:], restarts=2).diagnostics
    non_gaussian = diagnostics["z_heldout"] >= 4
    assert diagnostics["square_dependence"].min() > 0.05  # class structure makes squares dependent
    assert non_gaussian.sum() >= 4
    assert diagnostics.loc[non_gaussian, "axis_gain"].min() > 2


def test_leading_components_of_digits_keep_their_axes():
    from sklearn.datasets import load_digits

    pixels = np.random.default_rng(0).permutation(load_digits().data)
    diagnostics = fit_components(pixels[:900], heldout=pixels[900:], n_components=5).diagnostics
    assert (diagnostics["z_heldout"] >= 4).all()
    assert (diagnostics["dependence_p"] <= 0.05).all()  # ten classes: ICA's assumption is not met
    assert not (diagnostics["axis_gain"] < 2).any()
    assert diagnostics["identified"].equals(diagnostics["stability"] >= 0.9)

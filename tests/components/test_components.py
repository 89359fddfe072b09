import numpy as np
import pandas as pd
import pytest

from nearid_core.components import correlations, fit_components
from nearid_core.components.diagnostics import gaussian_spread, heldout_z, square_dependence
from nearid_core.components.ica import GAUSSIAN_LOGCOSH, gradient_norm, log_cosh, random_rotation
from nearid_core.errors import InvalidInput


def mixed(sources, seed=0):
    width = sources.shape[1]
    return sources @ np.random.default_rng(seed).normal(size=(width, width))


@pytest.fixture(scope="module")
def laplace():
    sources = np.random.default_rng(0).laplace(size=(4000, 6))
    values = mixed(sources)
    return sources, values, fit_components(values[:2000], heldout=values[2000:])


def test_laplace_sources_are_recovered(laplace):
    sources, values, components = laplace
    r = np.abs(correlations(components.transform(values[2000:]), sources[2000:]))
    assert (r.max(axis=1) > 0.99).all()
    assert sorted(r.argmax(axis=1)) == list(range(6))
    assert components.diagnostics["identified"].all()


def test_the_solution_is_a_stationary_point(laplace):
    _, values, components = laplace
    assert gradient_norm(components.whitening.transform(values[:2000]), components.rotation) < 1e-6
    np.testing.assert_allclose(components.rotation @ components.rotation.T, np.eye(6), atol=1e-9)


def test_gaussian_sources_are_not_identified():
    values = mixed(np.random.default_rng(1).normal(size=(4000, 6)))
    diagnostics = fit_components(values[:2000], heldout=values[2000:]).diagnostics
    assert not diagnostics["identified"].any()
    assert diagnostics["z_heldout"].abs().max() < 4


def test_a_gaussian_block_is_unidentified_and_the_rest_is_found():
    rng = np.random.default_rng(2)
    sources = np.column_stack([rng.laplace(size=(6000, 3)), rng.normal(size=(6000, 3))])
    values = mixed(sources)
    components = fit_components(values[:3000], heldout=values[3000:])
    r = np.abs(correlations(components.transform(values), sources))
    identified = components.diagnostics["identified"].to_numpy()
    assert identified.sum() == 3
    assert (r[identified][:, :3].max(axis=1) > 0.97).all()


def test_components_without_held_out_rows_are_judged_on_a_half():
    rng = np.random.default_rng(3)
    assert fit_components(mixed(rng.laplace(size=(3000, 3)))).diagnostics["identified"].all()
    assert not fit_components(mixed(rng.normal(size=(3000, 3)))).diagnostics["identified"].any()


def test_an_elliptical_block_shows_in_the_dependence_of_squares():
    rng = np.random.default_rng(4)
    elliptical = rng.normal(size=(5000, 2)) * rng.exponential(size=(5000, 1))
    assert square_dependence(elliptical)[0, 1] > 0.3
    assert square_dependence(rng.laplace(size=(5000, 2)))[0, 1] < 0.05


def test_transform_and_its_inverse_agree_with_mixing_and_unmixing(laplace):
    _, values, components = laplace
    s = components.transform(values)
    np.testing.assert_allclose(s, (values - components.mean) @ components.unmixing.T, atol=1e-9)
    np.testing.assert_allclose(values, components.mean + s @ components.mixing.T, atol=1e-8)
    np.testing.assert_allclose(components.inverse_transform(s), values, atol=1e-8)


def test_order_is_contrast_and_sign_is_skewness():
    rng = np.random.default_rng(5)
    sources = np.column_stack([rng.laplace(size=4000), rng.exponential(size=4000), rng.uniform(size=4000)])
    components = fit_components(mixed(sources))
    assert components.diagnostics["negentropy"].is_monotonic_decreasing
    skewness = (components.values**3).mean(axis=0)
    assert skewness[np.abs(skewness) > 3 * np.sqrt(6 / 4000)].min() > 0


def test_fits_are_repeatable():
    values = mixed(np.random.default_rng(6).laplace(size=(800, 4)))
    np.testing.assert_array_equal(fit_components(values, seed=3).rotation, fit_components(values, seed=3).rotation)


def test_held_out_z_of_noise_is_standard_normal():
    rng = np.random.default_rng(7)
    z = np.concatenate([heldout_z(rng.laplace(size=(50, 20)), rng.normal(size=(400, 20))) for _ in range(100)])
    assert abs(z.mean()) < 0.1
    assert abs(z.std() - 1) < 0.1


def test_gaussian_constants_by_sampling():
    x = np.random.default_rng(8).normal(size=(4000, 1000))
    contrast = log_cosh((x - x.mean(0)) / x.std(0)).mean(axis=0)
    assert abs(contrast.mean() - GAUSSIAN_LOGCOSH) < 5e-4
    assert abs(contrast.std() * np.sqrt(4000) / gaussian_spread() - 1) < 0.1


def test_random_rotations_are_orthogonal():
    q = random_rotation(5, np.random.default_rng(9))
    np.testing.assert_allclose(q @ q.T, np.eye(5), atol=1e-12)


@pytest.mark.parametrize(
    ("arguments", "said"), [({"n_components": 0}, "n_components is 0"), ({"restarts": 0}, "restarts")]
)
def test_settings_out_of_range_are_refused(arguments, said):
    with pytest.raises(InvalidInput, match=said):
        fit_components(np.eye(5), **arguments)


class Stop(Exception):
    pass


@pytest.mark.parametrize("what", ["unmixing", "refitting resampled rows", "dependence between components"])
def test_a_fit_says_how_far_it_is_and_can_be_stopped_anywhere(what):
    values = mixed(np.random.default_rng(10).laplace(size=(600, 3)))
    told = []
    fit_components(values, on_progress=told.append)
    assert [progress.done for progress in told] == sorted(progress.done for progress in told)
    assert what in {progress.what for progress in told}

    def stop(progress):
        if progress.what == what:
            raise Stop

    with pytest.raises(Stop):
        fit_components(values, on_progress=stop)


@pytest.mark.parametrize("held_out", [True, False])
def test_diagnostics_and_blocks_are_decided_by_the_seed(held_out):
    rng = np.random.default_rng(11)
    values = mixed(np.column_stack([rng.laplace(size=(3000, 2)), rng.normal(size=(3000, 3))]))
    heldout = values[1500:] if held_out else None
    first, second, other = (fit_components(values[:1500], heldout=heldout, seed=seed) for seed in (3, 3, 4))
    pd.testing.assert_frame_equal(first.diagnostics, second.diagnostics)
    pd.testing.assert_frame_equal(first.blocks, second.blocks)
    assert (first.diagnostics["stability"] != other.diagnostics["stability"]).any()

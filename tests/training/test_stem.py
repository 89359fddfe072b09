"""A stem of principal components: what it keeps, what it is fitted on, and that runs behind it read like others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

import nearid_core as nid
from nearid_core.models import FAMILIES
from nearid_core.training import load_model
from nearid_core.training.network_inputs import NetworkInputs
from nearid_core.training.stem import Stem
from tests.training.same import assert_same_run
from tests.training.test_resume import stop_at

FEATURES = 16


def configured(family: str = "autoencoder", **settings: object) -> nid.TrainConfig:
    usual = {"n": 256, "hidden": (13, 7), "latent_dim": 3, "epochs": 10, "batch_size": 32, "stem": 9}
    return nid.TrainConfig.from_settings("nonlinear_mixing", family, usual | settings)


def samples(n: int = 300) -> np.ndarray:
    rng = np.random.default_rng(0)
    return (rng.normal(size=(n, 5)) @ rng.normal(size=(5, FEATURES)) + 3).astype(np.float32)


def test_all_components_keep_everything() -> None:
    features = samples()
    stem = Stem.fit(features, 5)
    np.testing.assert_allclose(stem.restore(stem.project(features)), features, atol=1e-4)


def test_components_are_the_leading_ones_in_order_and_at_their_scale() -> None:
    features = samples()
    projected = Stem.fit(features, 3).project(features).astype(float)
    expected = np.linalg.svd(features - features.mean(0), compute_uv=False)[:3] ** 2
    np.testing.assert_allclose(projected.T @ projected, np.diag(expected), atol=1e-3 * expected[0])


def test_a_squared_error_is_the_one_between_projections_plus_what_is_left_out() -> None:
    features = samples() + np.random.default_rng(1).normal(size=(300, FEATURES)).astype(np.float32)
    stem = Stem.fit(features, 4)
    projected = stem.project(features)
    output = projected + np.random.default_rng(2).normal(size=projected.shape).astype(np.float32)
    left_out = np.square(features - stem.restore(projected)).sum()
    whole = np.square(features - stem.restore(output)).sum()
    assert whole == pytest.approx(left_out + np.square(projected - output).sum(), rel=1e-4)


def test_samples_held_back_have_no_part_in_it() -> None:
    data = nid.load_dataset("nonlinear_mixing", n=256)
    inputs = NetworkInputs.of(configured(), data)
    trains = (data.samples["split"] == "train").to_numpy()
    assert inputs.stem is not None
    np.testing.assert_allclose(inputs.stem.mean, data.features[trains].mean(0), atol=1e-5)
    changed = data.features.copy()
    changed[~trains] += 5
    other = NetworkInputs.of(configured(), nid.Dataset("nonlinear_mixing", changed, data.samples))
    assert other.stem is not None
    assert other.stem.digest == inputs.stem.digest
    assert other.digest != inputs.digest


@pytest.mark.parametrize("features", [FEATURES, 600])  # exact, and randomised
def test_the_same_samples_give_the_same_stem(features: int) -> None:
    wide = samples() @ np.random.default_rng(3).normal(size=(FEATURES, features)).astype(np.float32)
    np.random.seed(0)  # noqa: NPY002 (whose state must not matter)
    one = Stem.fit(wide, 4)
    np.random.seed(1)  # noqa: NPY002
    assert Stem.fit(wide, 4).digest == one.digest


@pytest.mark.parametrize("family", FAMILIES.names())
def test_every_family_is_read_and_decoded_in_the_space_of_the_samples(tmp_path: Path, family: str) -> None:
    run = nid.train(configured(family), [0, 1], nid.RunStore(tmp_path))[1]
    data = nid.load_dataset("nonlinear_mixing", n=256)
    assert run.weights()["encoder.0.weight"].shape == (13, 9)
    assert run.representation("output").values.shape == data.features.shape
    test = (data.samples["split"] == "test").to_numpy()
    output = run.representation("output").values[test]
    total = np.square(data.features[test] - data.features[test].mean(0)).sum()
    expected = 1 - np.square(output - data.features[test]).sum() / total
    assert run.metrics["test_r2"] == pytest.approx(expected, abs=1e-4), "of the samples, not of their projections"
    model = load_model(run)
    with torch.no_grad():
        latent = model.encode(torch.from_numpy(data.features))  # type: ignore[operator]
    np.testing.assert_allclose(latent, run.representation("latent").values, atol=1e-5)


@pytest.mark.usefixtures("tell_every_step")
def test_a_training_behind_a_stem_resumes_and_does_not_depend_on_its_company(tmp_path: Path) -> None:
    store = nid.RunStore(tmp_path / "cut")
    with pytest.raises(nid.Cancelled):
        nid.train(configured(), [0, 1], store, on_progress=stop_at(18))
    resumed = nid.train(configured(), [0, 1], store)
    whole = nid.train(configured(), [0, 1], nid.RunStore(tmp_path / "whole"))
    for one, other in zip(resumed, whole, strict=True):
        assert_same_run(one, other)
    assert_same_run(whole[1], nid.train(configured(), [1], nid.RunStore(tmp_path / "alone"))[0])


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"stem": 17}, "stem is 17, and 128 training samples of 16 features have 16 principal components at most"),
        ({"architecture": "conv"}, "vectors of 9 numbers .as they are behind a stem.. Use architecture=mlp, or stem=0"),
    ],
)
def test_a_stem_that_cannot_be_is_refused(tmp_path: Path, settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(nid.InvalidInput, match=sentence):
        nid.train(configured(**settings), [0], nid.RunStore(tmp_path / "store"))
    assert not (tmp_path / "store").exists()

"""From a run's folder back to its model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import nearid_core as nid
from nearid_core.models import FAMILIES
from nearid_core.runs import Run
from nearid_core.training import load_model
from tests.fabricate import fabricate_failure

DEMO = Path(__file__).parents[2] / "data" / "demo" / "runs"
SMALL = {"n": 120, "hidden": (13,), "latent_dim": 3, "epochs": 2, "batch_size": 32, "channels": (4,), "fc": 8}


def trained(tmp_path: Path, family: str, **settings: object) -> Run:
    known = {option.name for option in nid.TrainConfig.settings("digits", family)}
    given = {name: value for name, value in SMALL.items() if name in known} | settings
    return nid.train(nid.TrainConfig.from_settings("digits", family, given), [0], nid.RunStore(tmp_path))[0]


@pytest.mark.parametrize("settings", [{}, {"stem": 10}, {"architecture": "conv"}], ids=["plain", "stem", "conv"])
@pytest.mark.parametrize("family", FAMILIES.names())
def test_decoding_the_stored_latent_gives_the_stored_output(
    tmp_path: Path, family: str, settings: dict[str, object]
) -> None:
    if "architecture" in settings and "architecture" not in {one.name for one in FAMILIES[family].options}:
        pytest.skip(f"{family} has one architecture")
    run = trained(tmp_path, family, **settings)
    model: Any = load_model(run)
    assert not model.training
    with torch.no_grad():
        output = model.decode(torch.tensor(run.representation("latent").values))
        latent = model.encode(torch.from_numpy(nid.load_dataset("digits", n=120).features))
    np.testing.assert_allclose(output, run.representation("output").values, atol=1e-5)
    np.testing.assert_allclose(latent, run.representation("latent").values, atol=1e-5)


def test_the_runs_that_ship_are_loaded() -> None:
    for run in nid.RunStore(DEMO).runs():
        model: Any = load_model(run)
        latent = torch.tensor(np.asarray(run.representation("latent").values[:50], dtype=np.float32))
        with torch.no_grad():
            images = model.decode(latent)
            again = model.encode(images)
        assert images.shape == (50, np.prod(run.dataset["image_shape"]))
        assert again.shape == latent.shape
        if "output" in run.layers:
            np.testing.assert_allclose(images, run.representation("output").values[:50], atol=1e-3)


def test_a_run_from_before_the_number_of_features_was_kept_tells_it_by_its_output(tmp_path: Path) -> None:
    config = nid.TrainConfig("nonlinear_mixing", "autoencoder", epochs=1, options={"n": 64})
    run = nid.train(config, [0], nid.RunStore(tmp_path))[0]
    expected = [value.clone() for value in load_model(run).parameters()]
    del run.dataset["n_features"]
    for one, other in zip(load_model(run).parameters(), expected, strict=True):
        assert torch.equal(one, other)
    del run.record["layers"]["output"]
    with pytest.raises(nid.InvalidInput, match="does not tell how many features"):
        load_model(run)


def test_weights_of_another_configuration_are_named(tmp_path: Path) -> None:
    run = trained(tmp_path, "autoencoder")
    record = json.loads((run.path / "run.json").read_text())
    record["config"]["options"]["hidden"] = [14]
    (run.path / "run.json").write_text(json.dumps(record))
    with pytest.raises(nid.CorruptRun, match=r"its weights \S+ are \(.*\), its configuration has \("):
        load_model(Run(run.path))


def test_a_record_cannot_ask_for_more_memory_than_the_weights_take(tmp_path: Path) -> None:
    run = trained(tmp_path, "autoencoder")
    record = json.loads((run.path / "run.json").read_text())
    record["config"]["options"]["hidden"] = [8192] * 200  # 50 GiB
    (run.path / "run.json").write_text(json.dumps(record))
    with pytest.raises(nid.CorruptRun, match="delete it and train it again"):
        load_model(Run(run.path))


def test_a_stem_that_is_not_the_configurations_is_named(tmp_path: Path) -> None:
    run = trained(tmp_path, "autoencoder", stem=10)
    record = json.loads((run.path / "run.json").read_text())
    record["config"]["stem"] = 11
    (run.path / "run.json").write_text(json.dumps(record))
    with pytest.raises(nid.CorruptRun, match="has a stem of 11 components of 64 features"):
        load_model(Run(run.path))
    record["config"]["stem"] = 0
    (run.path / "run.json").write_text(json.dumps(record))
    with pytest.raises(nid.CorruptRun, match=r"its weights decoder.1.bias are .10,., its configuration has .64,."):
        load_model(Run(run.path))


def test_runs_without_a_model_are_refused(tmp_path: Path) -> None:
    store = nid.RunStore(tmp_path)
    with pytest.raises(nid.InvalidInput, match="its status is 'failed'"):
        load_model(fabricate_failure(store, 0))
    run = trained(tmp_path / "other", "autoencoder")
    run.record["config"] = None
    with pytest.raises(nid.InvalidInput, match="was imported and has no model"):
        load_model(run)


def test_an_orthonormal_decoder_is_loaded_as_it_was_trained(tmp_path: Path) -> None:
    run = trained(tmp_path, "autoencoder", decoder="orthonormal")
    weight = dict(load_model(run).named_parameters())["decoder.0.weight"]
    np.testing.assert_array_equal(weight.detach(), run.weights()["decoder.0.weight"])

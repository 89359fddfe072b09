"""Noise follows from seed and step alone, so that training keeps its promises where a family needs randomness."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import nearid_core as nid
from nearid_core.models import FAMILIES
from nearid_core.training import load_model, plan
from nearid_core.training.fit import Fit
from nearid_core.training.plan import choose_plan
from nearid_core.training.schedule import epoch_order, noise_of_evaluation, noise_of_step
from tests.training.same import assert_same_run
from tests.training.test_resume import KILLED, stop_at

NOISY = ("beta_vae", "beta_tcvae", "masked_autoencoder_mlp")
ALL = FAMILIES.names()


def configured(family: str, **settings: object) -> nid.TrainConfig:
    """40 steps in 10 epochs on 128 training samples."""
    usual = {"n": 256, "hidden": (13, 7), "latent_dim": 3, "epochs": 10, "batch_size": 32}
    return nid.TrainConfig.from_settings("nonlinear_mixing", family, usual | settings)


def conv(family: str) -> nid.TrainConfig:
    """35 steps in 5 epochs, one seed after the other."""
    small = {"architecture": "conv", "channels": (4,), "fc": 8, "latent_dim": 3, "n": 400, "epochs": 5}
    return nid.TrainConfig.from_settings("digits", family, small | {"batch_size": 31})


def test_every_seed_and_step_has_noise_of_its_own() -> None:
    sources = [noise_of_step(seed, step) for seed in (0, 1) for step in (0, 1)]
    sources += [noise_of_evaluation(chunk) for chunk in (0, 1)]
    drawn = {source.random() for source in sources}
    assert len(drawn) == 6
    assert noise_of_step(1, 1).random() in drawn
    orders = [tuple(epoch_order(0, epoch, 50)) for epoch in (0, 1)]
    assert tuple(noise_of_step(0, 0).permutation(50)) not in orders, "nor is it what orders the samples"


@pytest.mark.parametrize("family", ALL)
def test_a_seeds_weights_do_not_depend_on_its_company(tmp_path: Path, family: str) -> None:
    config = configured(family)
    among_four = nid.train(config, "0-3", nid.RunStore(tmp_path / "four"))
    assert among_four[0].plan["execution"] == "stacked"
    assert_same_run(among_four[2], nid.train(config, [2], nid.RunStore(tmp_path / "alone"))[0])


@pytest.mark.usefixtures("tell_every_step")
@pytest.mark.parametrize("family", ALL)
def test_a_cut_off_training_resumes_to_the_same_weights(tmp_path: Path, family: str) -> None:
    config, store = configured(family), nid.RunStore(tmp_path / "cut")
    with pytest.raises(nid.Cancelled):
        nid.train(config, [0, 1], store, on_progress=stop_at(18))
    resumed = nid.train(config, [0, 1], store)
    for one, other in zip(resumed, nid.train(config, [0, 1], nid.RunStore(tmp_path / "whole")), strict=True):
        assert_same_run(one, other)


@pytest.mark.parametrize("family", ["beta_vae", "masked_autoencoder_mlp"])
def test_a_killed_training_resumes_to_the_same_weights(tmp_path: Path, family: str) -> None:
    config, store = configured(family), nid.RunStore(tmp_path / "killed")
    command = [sys.executable, "-c", KILLED, config.to_json(), str(store.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "standing\n"
        child.send_signal(signal.SIGKILL)
    resumed = nid.train(config, [0, 1], store)
    for one, other in zip(resumed, nid.train(config, [0, 1], nid.RunStore(tmp_path / "whole")), strict=True):
        assert_same_run(one, other)


@pytest.mark.usefixtures("tell_every_step")
@pytest.mark.parametrize("family", ["autoencoder", "beta_vae"])
def test_convolutions_one_after_the_other_keep_both_promises(tmp_path: Path, family: str) -> None:
    config, store = conv(family), nid.RunStore(tmp_path / "cut")
    with pytest.raises(nid.Cancelled):
        nid.train(config, [0, 1], store, on_progress=stop_at(11))
    resumed = nid.train(config, [0, 1], store)
    assert [run.plan["execution"] for run in resumed] == ["loop", "loop"]
    whole = nid.train(config, [0, 1], nid.RunStore(tmp_path / "whole"))
    alone = nid.train(config, [1], nid.RunStore(tmp_path / "alone"))
    for one, other in zip(resumed, whole, strict=True):
        assert_same_run(one, other)
    assert_same_run(alone[0], whole[1])


@pytest.mark.parametrize("family", ALL)
def test_reading_a_loss_gives_the_same_every_time_and_changes_nothing(family: str) -> None:
    config = configured(family)
    features = np.random.default_rng(0).random((128, 16), dtype=np.float32)
    fits = [Fit(config, [0, 1], features, features[:50], choose_plan(1000, 32, "cpu")) for _ in range(2)]
    for fit in fits:
        for _ in range(3):
            fit.advance()
    read = [fits[0].mean_losses(fits[0].test) for _ in range(2)]
    np.testing.assert_array_equal(*read)
    for fit in fits:
        fit.advance()
    for one, other in zip(fits[0].stack.flat.values(), fits[1].stack.flat.values(), strict=True):
        np.testing.assert_array_equal(one.detach().numpy(), other.detach().numpy())


@pytest.mark.parametrize("family", NOISY)
def test_noise_differs_between_steps_and_seeds(family: str) -> None:
    features = np.random.default_rng(0).random((128, 16), dtype=np.float32)
    fit = Fit(configured(family), [0, 1], features, features[:50], choose_plan(1000, 32, "cpu"))
    (first,) = fit.stack.noise(32, [noise_of_step(seed, 0) for seed in (0, 1)]).values()
    (second,) = fit.stack.noise(32, [noise_of_step(seed, 1) for seed in (0, 1)]).values()
    assert not np.array_equal(first[0], first[1])
    assert not np.array_equal(first[0], second[0])


def test_a_loss_that_couples_samples_is_read_in_batches_as_large_as_those_of_training() -> None:
    features = np.random.default_rng(0).random((96, 16), dtype=np.float32)
    fit = Fit(configured("beta_tcvae"), [0], features, features, choose_plan(1000, 32, "cpu"))
    each = [fit.stack.loss_of(0, part, _noise(fit, number)).item() for number, part in enumerate(fit.test.split(32))]
    assert fit.mean_losses(fit.test)[0] == pytest.approx(np.mean(each))


def _noise(fit: Fit, chunk: int) -> dict[str, object]:
    return {name: value[0] for name, value in fit.stack.noise(32, [noise_of_evaluation(chunk)]).items()}


@pytest.mark.parametrize("family", ALL)
def test_every_family_learns_digits(tmp_path: Path, family: str) -> None:
    settings = {"n": 600, "hidden": (48,), "latent_dim": 6, "epochs": 60, "batch_size": 32, "learning_rate": 0.003}
    run = nid.train(nid.TrainConfig.from_settings("digits", family, settings), [0], nid.RunStore(tmp_path))[0]
    assert run.history["loss"].iloc[-1] < 0.5 * run.history["loss"].iloc[0]
    assert run.metrics["test_r2"] > 0.2


@pytest.mark.parametrize("bfloat16", [False, True])
def test_weights_and_layers_are_kept_in_float32_whatever_the_precision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bfloat16: bool
) -> None:
    monkeypatch.setattr(plan, "multiplies_bfloat16", lambda: bfloat16)
    first, again = (nid.train(conv("autoencoder"), [0], nid.RunStore(tmp_path / name))[0] for name in "ab")
    assert first.plan["precision"] == ("bfloat16" if bfloat16 else "float32")
    assert_same_run(first, again)
    assert {value.dtype for value in first.weights().values()} == {np.dtype("float32")}
    output = load_model(first).decode(torch.tensor(first.representation("latent").values))  # type: ignore[operator]
    np.testing.assert_allclose(output.detach(), first.representation("output").values, atol=1e-5)

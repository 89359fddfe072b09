"""A seed whose loss is not finite stops alone, with its reason."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

import nearid_core as nid
from nearid_core.training import fit
from tests.training.same import assert_same_run

Configured = Callable[..., nid.TrainConfig]


@pytest.fixture
def seed_1_starts_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = fit.initial_model

    def broken(config: nid.TrainConfig, shape: tuple[int, ...], seed: int) -> torch.nn.Module:
        model = sound(config, shape, seed)
        if seed == 1:
            torch.nn.init.constant_(next(model.parameters()), float("nan"))
        return model

    monkeypatch.setattr(fit, "initial_model", broken)


@pytest.mark.usefixtures("seed_1_starts_broken")
@pytest.mark.parametrize("decoder", ["free", "orthonormal"])
def test_a_broken_seed_is_stored_with_its_reason_and_the_others_go_on(
    small: Configured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, decoder: str
) -> None:
    config, store = small(decoder=decoder), nid.RunStore(tmp_path / "broken")
    runs = nid.train(config, [0, 1, 2], store)
    assert [run.status for run in runs] == ["done", "failed", "done"]
    assert runs[1].reason == (
        "The loss of seed 1 was not finite at step 1 of 40; train again with a learning rate below 0.001."
    )
    assert (runs[1].layers, runs[1].metrics) == ([], {})
    assert runs[1].config == config
    assert len(runs[1].history) == 1, "the epoch in which it broke"
    monkeypatch.undo()
    sound = nid.train(config, [0, 1, 2], nid.RunStore(tmp_path / "sound"))
    assert_same_run(runs[0], sound[0])
    assert_same_run(runs[2], sound[2])
    retried = nid.train(config, [0, 1, 2], store)
    assert_same_run(retried[1], sound[1])


@pytest.mark.usefixtures("seed_1_starts_broken", "one_after_the_other")
def test_one_after_the_other_a_broken_seed_does_not_keep_the_next_from_training(
    small: Configured, store: nid.RunStore
) -> None:
    assert [run.status for run in nid.train(small(), "0-2", store)] == ["done", "failed", "done"]


def test_a_learning_rate_too_large_ends_as_failed_runs_and_no_error(small: Configured, store: nid.RunStore) -> None:
    runs = nid.train(small(learning_rate=1000, weight_decay=1000), [0, 1], store)
    assert [run.status for run in runs] == ["failed", "failed"]
    assert runs[0].reason is not None
    assert runs[0].reason.endswith("train again with a learning rate below 1000.")
    assert store.unfinished() == []
    assert store.problems() == []
    with pytest.raises(nid.InvalidInput, match="its status is 'failed'"):
        runs[0].weights()

"""A training that was cut off ends where it would have ended."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import nearid_core as nid
from nearid_core.runs import RunWriter
from nearid_core.training import session
from tests.training.same import assert_same_run

Configured = Callable[..., nid.TrainConfig]


def stop_at(step: int) -> Callable[[nid.Progress], None]:
    def on_progress(progress: nid.Progress) -> None:
        if progress.done == step:
            raise nid.Cancelled("The training was stopped.")

    return on_progress


@pytest.mark.usefixtures("tell_every_step")
@pytest.mark.parametrize("step", [1, 8, 18, 40])  # the first, the end of an epoch, within one, the last
@pytest.mark.parametrize("decoder", ["free", "orthonormal"])
def test_a_cancelled_training_resumes_to_the_same_weights(
    small: Configured, tmp_path: Path, step: int, decoder: str
) -> None:
    config = small(decoder=decoder, weight_decay=0.1)
    store = nid.RunStore(tmp_path / "cut")
    with pytest.raises(nid.Cancelled):
        nid.train(config, [0, 1], store, on_progress=stop_at(step))
    assert store.runs() == []
    assert [(one.id, one.seed, one.alive) for one in store.unfinished()] == [
        (config.run_id(seed), seed, False) for seed in (0, 1)
    ]
    told: list[nid.Progress] = []
    resumed = nid.train(config, [0, 1], store, on_progress=told.append)
    whole = nid.train(config, [0, 1], nid.RunStore(tmp_path / "whole"))
    for one, other in zip(resumed, whole, strict=True):
        assert_same_run(one, other)
    assert told[0].done == min(step + 1, 40)
    assert store.unfinished() == []


@pytest.mark.usefixtures("tell_every_step", "one_after_the_other")
def test_one_after_the_other_the_seeds_done_stay_and_the_cut_one_resumes(small: Configured, tmp_path: Path) -> None:
    store = nid.RunStore(tmp_path / "cut")
    with pytest.raises(nid.Cancelled):
        nid.train(small(), "0-2", store, on_progress=stop_at(40 + 10))
    assert [run.seed for run in store.runs()] == [0]
    assert [one.seed for one in store.unfinished()] == [1]
    resumed = nid.train(small(), "0-2", store)
    for one, other in zip(resumed, nid.train(small(), "0-2", nid.RunStore(tmp_path / "whole")), strict=True):
        assert_same_run(one, other)


@pytest.mark.usefixtures("tell_every_step")
def test_seeds_cut_off_at_different_steps_resume_each_from_its_own(small: Configured, tmp_path: Path) -> None:
    store = nid.RunStore(tmp_path / "cut")
    for seed, step in ((0, 12), (1, 22)):
        with pytest.raises(nid.Cancelled):
            nid.train(small(), [seed], store, on_progress=stop_at(step))
    resumed = nid.train(small(), [0, 1, 2], store)
    for one, other in zip(resumed, nid.train(small(), "0-2", nid.RunStore(tmp_path / "whole")), strict=True):
        assert_same_run(one, other)


@pytest.mark.usefixtures("tell_every_step")
def test_whatever_the_callback_raises_leaves_a_training_that_resumes(small: Configured, store: nid.RunStore) -> None:
    def interrupt(progress: nid.Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        nid.train(small(), [0], store, on_progress=interrupt)
    assert [one.alive for one in store.unfinished()] == [False]


@pytest.mark.usefixtures("tell_every_step")
@pytest.mark.parametrize("damage", [b"", b"not safetensors", None])
def test_a_checkpoint_that_cannot_be_used_is_not(small: Configured, tmp_path: Path, damage: bytes | None) -> None:
    store = nid.RunStore(tmp_path / "cut")
    with pytest.raises(nid.Cancelled):
        nid.train(small(), [0], store, on_progress=stop_at(20))
    checkpoint = store.path / RunWriter.FOLDER / small().run_id(0) / RunWriter.CHECKPOINT
    checkpoint.write_bytes(checkpoint.read_bytes()[:-40] if damage is None else damage)
    resumed = nid.train(small(), [0], store)[0]
    assert_same_run(resumed, nid.train(small(), [0], nid.RunStore(tmp_path / "whole"))[0])


@pytest.mark.usefixtures("tell_every_step")
def test_a_checkpoint_of_another_plan_is_not_continued(
    small: Configured, store: nid.RunStore, one_after_the_other: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(nid.Cancelled):
        nid.train(small(), [0], store, on_progress=stop_at(20))
    monkeypatch.undo()
    monkeypatch.setattr(session, "PROGRESS_EVERY", 0.0)
    told: list[nid.Progress] = []
    run = nid.train(small(), [0], store, on_progress=told.append)[0]
    assert run.plan["execution"] == "stacked"
    assert told[0].done == 1


@pytest.mark.usefixtures("tell_every_step")
def test_progress_lines_go_on_after_a_cut_without_repeats(
    small: Configured, store: nid.RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "LOG_EVERY", 0.0)
    with pytest.raises(nid.Cancelled):
        nid.train(small(), [0], store, on_progress=stop_at(20))
    with (store.path / RunWriter.FOLDER / small().run_id(0) / RunWriter.PROGRESS).open("a") as file:
        file.write('{"step": 33}\n{"st')  # what a crash after the checkpoint leaves
    run = nid.train(small(), [0], store)[0]
    lines = [json.loads(line) for line in (run.path / RunWriter.PROGRESS).read_text().splitlines()]
    assert [line["step"] for line in lines] == sorted({line["step"] for line in lines} - {33} | {40}) or lines[-1][
        "step"
    ] == 40
    assert set(lines[0]) == {"epoch", "step", "loss", "seconds"}


def test_a_run_that_another_is_training_is_refused_and_the_rest_stays(small: Configured, store: nid.RunStore) -> None:
    config = small()
    with store.begin(config.run_id(1), {"config": config.to_dict(), "seed": 1}):
        with pytest.raises(nid.InvalidInput, match=rf"{config.run_id(1)} is being written by process \d+"):
            nid.train(config, [0, 1, 2], store)
        assert [one.id for one in store.unfinished()] == [config.run_id(1)]
        assert [run.seed for run in nid.train(config, [0, 2], store)] == [0, 2]
    assert store.unfinished() == []


KILLED = """
import sys, time
import nearid_core as nid
from nearid_core.training import session

session.PROGRESS_EVERY = session.CHECKPOINT_EVERY = session.LOG_EVERY = 0.0

def stand_still(progress):
    if progress.done == 22:
        print("standing", flush=True)
        time.sleep(600)

nid.train(nid.TrainConfig.from_json(sys.argv[1]), [0, 1], nid.RunStore(sys.argv[2]), on_progress=stand_still)
"""


def test_kill_9_leaves_a_clean_store_and_a_training_that_resumes(small: Configured, tmp_path: Path) -> None:
    config, store = small(), nid.RunStore(tmp_path / "killed")
    command = [sys.executable, "-c", KILLED, config.to_json(), str(store.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "standing\n"
        assert [one.alive for one in store.unfinished()] == [True, True]
        with pytest.raises(nid.InvalidInput, match=f"is being written by process {child.pid}"):
            nid.train(config, [0], store)
        child.send_signal(signal.SIGKILL)
    assert (store.runs(), store.problems()) == ([], [])
    assert [(one.seed, one.alive) for one in store.unfinished()] == [(0, False), (1, False)]
    told: list[nid.Progress] = []
    resumed = nid.train(config, [0, 1], store, on_progress=told.append)
    for one, other in zip(resumed, nid.train(config, [0, 1], nid.RunStore(tmp_path / "whole")), strict=True):
        assert_same_run(one, other)
    assert sorted(path.name for path in (store.path / RunWriter.FOLDER).iterdir()) == []

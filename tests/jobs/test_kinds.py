"""The kinds of real work: refused at submit where it can be, done by a worker otherwise."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from nearid_core.errors import NearIdError
from nearid_core.jobs import JobQueue
from nearid_core.runs import RunStore
from nearid_core.training import TrainConfig
from tests.jobs.conftest import kill_worker, wait_until_over, wait_until_reporting

CONFIG = TrainConfig(
    "nonlinear_mixing", "autoencoder", latent_dim=4, epochs=4, options={"n": 600, "hidden": (16,)}
).to_dict()


@pytest.fixture
def real_queue(tmp_path: Path) -> Iterator[JobQueue]:
    queue = JobQueue.of(tmp_path)
    yield queue
    for status in reversed(queue.list()):
        queue.cancel(status.id)


def test_training_and_comparing_go_through_the_queue(real_queue: JobQueue, tmp_path: Path) -> None:
    training = {"config": CONFIG, "seeds": "0-1", "store": str(tmp_path)}
    trained = wait_until_over(real_queue, real_queue.submit("train", training))
    assert trained.state == "done", trained
    assert trained.result is not None
    assert trained.result["failed"] == {}
    ids = trained.result["runs"]
    assert [RunStore(tmp_path).get(run_id).seed for run_id in ids] == [0, 1]
    comparing = {"store": str(tmp_path), "runs": ids, "groups": ["rigid", "linear"]}
    compared = wait_until_over(real_queue, real_queue.submit("compare", comparing))
    assert compared.state == "done", compared
    assert "latent diameters" in (compared.result or {})["verdict"]


@pytest.mark.parametrize("end", ["cancel", "kill"])
def test_a_training_that_is_stopped_leaves_a_clean_store(real_queue: JobQueue, tmp_path: Path, end: str) -> None:
    request = {"config": {**CONFIG, "epochs": 100_000}, "seeds": [0, 1], "store": str(tmp_path)}
    job_id = real_queue.submit("train", request)
    wait_until_reporting(real_queue, job_id)
    begun = time.monotonic()
    if end == "cancel":
        assert real_queue.cancel(job_id).state == "cancelled"
        assert time.monotonic() - begun < 2.0
    else:
        kill_worker(real_queue, job_id, signal.SIGKILL)
        assert wait_until_over(real_queue, job_id).state == "failed"
    store = RunStore(tmp_path)
    assert store.runs() == []
    assert store.problems() == []
    assert not any(one.alive for one in store.unfinished())


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"config": {**CONFIG, "latent_dim": 0}}, "latent_dim is 0"),
        ({"config": {**CONFIG, "dataset": "digit"}}, "did you mean 'digits'"),
        ({"config": "digits"}, "expected TrainConfig.to_dict"),
        ({"seeds": "a-b"}, "Seeds are 'a-b'"),
        ({"seeds": None}, "lacks seeds"),
        ({"seed": [1]}, "did you mean 'seeds'"),
        ({"device": "gpu"}, "There is no device 'gpu'"),
    ],
)
def test_a_training_that_cannot_be_is_refused_at_submit(
    real_queue: JobQueue, tmp_path: Path, changes: dict[str, Any], sentence: str
) -> None:
    request = {"config": CONFIG, "seeds": [0], "store": str(tmp_path), **changes}
    with pytest.raises(NearIdError, match=sentence):
        real_queue.submit("train", request)
    assert list(tmp_path.iterdir()) == []


def test_a_store_in_whose_place_is_a_file_is_refused_at_submit(real_queue: JobQueue, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(NearIdError, match="The store"):
            real_queue.submit("train", {"config": CONFIG, "seeds": [0], "store": str(path)})


def test_comparing_what_is_not_there_is_refused_at_submit(real_queue: JobQueue, tmp_path: Path) -> None:
    with pytest.raises(NearIdError, match="expected a list of two run ids"):
        real_queue.submit("compare", {"store": str(tmp_path), "runs": ["a"]})
    with pytest.raises(NearIdError, match="There is no run in"):
        real_queue.submit("compare", {"store": str(tmp_path), "runs": ["a", "b"]})


def test_an_import_a_batch_report_and_its_umap_go_through_the_queue(real_queue: JobQueue, tmp_path: Path) -> None:
    folder = tmp_path / ".uploads" / "abc"
    folder.mkdir(parents=True)
    rng = np.random.default_rng(0)
    plate = np.repeat(["p1", "p2", "p3"], 40)
    features = pd.DataFrame(rng.laplace(size=(120, 4)) + 2.0 * (plate == "p2")[:, None], columns=list("abcd"))
    features.assign(plate=plate, drug=np.tile(["x", "y"], 60)).to_parquet(folder / "t.parquet")
    request = {
        "store": str(tmp_path),
        "paths": [str(folder / "t.parquet")],
        "mapping": 'batch = "plate"\nlabel = "drug"',
    }
    imported = wait_until_over(real_queue, real_queue.submit("import", request))
    assert imported.state == "done", imported
    assert imported.result is not None
    assert not folder.exists()
    report = {"store": str(tmp_path), "run": imported.result["runs"][0]}
    reported = wait_until_over(real_queue, real_queue.submit("batches", report))
    assert reported.state == "done", reported
    assert reported.result is not None
    assert "3 batches" in reported.result["verdict"] or "ICA" in reported.result["verdict"]
    laid_out = wait_until_over(real_queue, real_queue.submit("umap", report))
    assert laid_out.state == "done", laid_out
    assert laid_out.result == {"points": 120}


@pytest.mark.parametrize(
    ("kind", "request_", "sentence"),
    [
        ("import", {"paths": ["/nowhere/a.csv"], "mapping": ""}, "There is no file /nowhere/a.csv"),
        ("import", {"paths": [], "mapping": "batch = 3"}, "expected text in quotes"),
        ("batches", {"run": "absent"}, "There is no run"),
    ],
)
def test_new_kinds_refuse_at_submit(
    real_queue: JobQueue, tmp_path: Path, kind: str, request_: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(NearIdError, match=sentence):
        real_queue.submit(kind, {"store": str(tmp_path), **request_})

"""Jobs in a given state, without a worker."""

from __future__ import annotations

from typing import Any

from nearid_core.jobs import JobQueue
from nearid_core.jobs.folder import JobFolder, now
from nearid_core.progress import Progress
from nearid_core.runs import Run, RunStore, claim
from nearid_core.training import TrainConfig


def job(store: RunStore, kind: str, request: dict[str, Any], number: int = 1, **status: Any) -> JobFolder:
    """A job of this status. One that is not over is held by the process at hand, which lives."""
    queue = JobQueue.of(store.path)
    queue.folder.mkdir(parents=True, exist_ok=True)
    folder = JobFolder.create(queue.folder / f"20260101T0000000000{number:02d}-{kind}-abcd", kind, request)
    claim.take(folder.path)
    folder.write(**{"started": now(), **status})
    return folder


def train_job(store: RunStore, config: TrainConfig, seeds: list[int], number: int = 1, **status: Any) -> JobFolder:
    request = {"config": config.to_dict(), "seeds": seeds, "store": str(store.path), "device": "auto"}
    return job(store, "train", request, number, **status)


def compare_job(store: RunStore, runs: list[Run], layer: str, number: int = 1, **status: Any) -> JobFolder:
    request = {"runs": [run.id for run in runs], "store": str(store.path), "layer": layer}
    return job(store, "compare", request, number, **status)


def report(folder: JobFolder, done: int, total: int, **detail: Any) -> None:
    folder.report(Progress("training seeds 0 and 1", done, total, 2.0, detail))

"""A queue of toy jobs, emptied after each test."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import tests.jobs.toy_kinds  # noqa: F401 - registers the toy kinds
from nearid_core.jobs import JobQueue, JobStatus
from nearid_core.runs import claim

PATIENCE = 120.0  # seconds: UMAP is compiled anew in each process, on a machine busy with other things


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[JobQueue]:
    queue = JobQueue(tmp_path / "store" / ".jobs", worker="tests.jobs.toy_worker")
    yield queue
    for status in reversed(queue.list()):
        if not status.over:
            queue.cancel(status.id)


def wait_until(queue: JobQueue, job_id: str, reached: Callable[[JobStatus], bool]) -> JobStatus:
    deadline = time.monotonic() + PATIENCE
    while not reached(status := queue.status(job_id)):
        assert time.monotonic() < deadline, f"still {status}"
        time.sleep(0.02)
    return status


def wait_until_over(queue: JobQueue, job_id: str) -> JobStatus:
    return wait_until(queue, job_id, lambda status: status.over)


def wait_until_reporting(queue: JobQueue, job_id: str) -> JobStatus:
    return wait_until(queue, job_id, lambda status: status.progress is not None)


def worker_pid(queue: JobQueue, job_id: str) -> int:
    """The pid of the worker, as soon as it has signed."""
    deadline = time.monotonic() + PATIENCE
    while (signed := claim.read(queue.folder / job_id)) is None:  # absent, or still being written
        assert time.monotonic() < deadline, "the worker never signed"
        time.sleep(0.02)
    return int(signed["pid"])


def kill_worker(queue: JobQueue, job_id: str, number: int) -> None:
    os.kill(worker_pid(queue, job_id), number)

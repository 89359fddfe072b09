"""However a job ends, its status says how."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from nearid_core.errors import InvalidInput
from nearid_core.jobs import JobQueue, workers
from tests.jobs.conftest import PATIENCE, kill_worker, wait_until_over, wait_until_reporting, worker_pid

ROOT = Path(__file__).parents[2]
SOON = 2.0  # seconds within which a cancel has to work


def test_a_finished_job_keeps_its_result_and_its_last_report(queue: JobQueue) -> None:
    job_id = queue.submit("steps", {"steps": 8})
    status = wait_until_over(queue, job_id)
    assert (status.state, status.reason, dict(status.result or {})) == ("done", None, {"steps": 8})
    assert status.progress is not None
    assert status.progress.done == 7
    assert status.created is not None
    assert status.started is not None
    assert status.ended is not None
    assert status.created <= status.started <= status.ended
    done = [report.done for report in queue.history(job_id)]
    assert done == sorted(set(done))
    assert done[-1] == 7


def test_a_report_with_nan_is_still_json(queue: JobQueue) -> None:
    status = wait_until_over(queue, queue.submit("steps", {}))
    assert status.progress is not None
    assert status.progress.detail == {"loss": {"0": None}}


def test_a_refusal_gives_its_own_sentence(queue: JobQueue) -> None:
    status = wait_until_over(queue, queue.submit("refuse", {}))
    assert (status.state, status.reason) == ("failed", "These numbers do not say; take more samples.")


def test_an_unexpected_error_is_one_sentence_with_the_traceback_in_the_log(queue: JobQueue) -> None:
    status = wait_until_over(queue, queue.submit("crash", {}))
    assert status.state == "failed"
    assert status.reason is not None
    assert "ZeroDivisionError" in status.reason
    assert "\n" not in status.reason
    assert "about to divide" in status.log
    assert "Traceback" in status.log


def test_a_worker_that_leaves_without_a_word_is_a_failure(queue: JobQueue) -> None:
    status = wait_until_over(queue, queue.submit("leave", {}))
    assert status.state == "failed"
    assert "exit code 3" in (status.reason or "")


@pytest.mark.parametrize("kind", ["steps", "deaf"], ids=["listening", "deaf"])
def test_a_running_job_is_cancelled_within_two_seconds(queue: JobQueue, kind: str) -> None:
    job_id = queue.submit(kind, {"steps": 10_000})
    wait_until_reporting(queue, job_id)
    pid, begun = worker_pid(queue, job_id), time.monotonic()
    status = queue.cancel(job_id)
    assert time.monotonic() - begun < SOON
    assert status.state == "cancelled"
    _assert_gone(queue, job_id, pid)


def test_a_waiting_job_is_cancelled_within_two_seconds_and_never_runs(queue: JobQueue, tmp_path: Path) -> None:
    wait_until_reporting(queue, queue.submit("deaf", {}))
    job_id = queue.submit("steps", {"name": "never", "book": str(tmp_path / "book")})
    begun = time.monotonic()
    assert queue.cancel(job_id).state == "cancelled"
    assert time.monotonic() - begun < SOON
    queue.cancel(queue.list()[0].id)
    assert not (tmp_path / "book").exists()


def test_cancelling_what_is_over_changes_nothing(queue: JobQueue) -> None:
    before = wait_until_over(queue, queue.submit("steps", {}))
    assert queue.cancel(before.id) == before


def test_a_killed_worker_is_a_failure_with_the_signal(queue: JobQueue) -> None:
    job_id = queue.submit("deaf", {})
    wait_until_reporting(queue, job_id)
    kill_worker(queue, job_id, signal.SIGKILL)
    status = wait_until_over(queue, job_id)
    assert status.state == "failed"
    assert "was killed (signal 9)" in (status.reason or "")
    assert queue.status(job_id) == status, "the reason is kept after the child was reaped"


def test_a_zombie_does_not_look_alive_to_a_stranger(queue: JobQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    job_id = queue.submit("deaf", {})
    wait_until_reporting(queue, job_id)
    pid = worker_pid(queue, job_id)
    children = dict(workers._CHILDREN)
    monkeypatch.setattr(workers, "_CHILDREN", {})  # as another process sees it: nobody polls the child
    kill_worker(queue, job_id, signal.SIGKILL)
    status = wait_until_over(queue, job_id)
    assert psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    assert status.state == "failed"
    assert "ended without a word" in (status.reason or "")
    children[queue.folder / job_id].wait()


def test_a_worker_told_to_end_says_so(queue: JobQueue) -> None:
    job_id = queue.submit("steps", {"steps": 10_000})
    wait_until_reporting(queue, job_id)
    kill_worker(queue, job_id, signal.SIGTERM)
    status = wait_until_over(queue, job_id)
    assert status.state == "failed"
    assert "told to end (signal 15)" in (status.reason or "")


def test_a_job_outlives_the_process_that_submitted_it(queue: JobQueue) -> None:
    submit = (
        "import sys, tests.jobs.toy_kinds; from nearid_core.jobs import JobQueue;"
        "print(JobQueue(sys.argv[1], worker='tests.jobs.toy_worker').submit('steps', {'steps': 10}))"
    )
    submitted = subprocess.run(
        [sys.executable, "-c", submit, str(queue.folder)], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert wait_until_over(queue, submitted.stdout.strip()).state == "done"


def test_only_what_is_over_can_be_forgotten(queue: JobQueue) -> None:
    job_id = queue.submit("deaf", {})
    with pytest.raises(InvalidInput, match="not over yet"):
        queue.forget(job_id)
    queue.cancel(job_id)
    queue.forget(job_id)
    assert queue.list() == []
    with pytest.raises(InvalidInput, match="no job"):
        queue.status(job_id)


def test_a_damaged_record_is_a_failed_job(queue: JobQueue) -> None:
    status = wait_until_over(queue, queue.submit("steps", {}))
    (queue.folder / status.id / "status.json").write_text("{")
    assert queue.status(status.id).reason == "The record of this job cannot be read."


def _assert_gone(queue: JobQueue, job_id: str, pid: int) -> None:
    """The process has ended, and looking at the job leaves no zombie of it."""
    deadline = time.monotonic() + PATIENCE
    while psutil.pid_exists(pid):
        assert time.monotonic() < deadline, f"process {pid} is still there"
        queue.status(job_id)
        time.sleep(0.02)

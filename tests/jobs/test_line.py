"""First come, first served, one at a time."""

from __future__ import annotations

import itertools
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from nearid_core.errors import InvalidInput, NearIdError
from nearid_core.jobs import JobQueue, line
from nearid_core.jobs import queue as queue_module
from nearid_core.jobs.folder import JobFolder
from tests.jobs.conftest import kill_worker, wait_until_over, wait_until_reporting

ROOT = Path(__file__).parents[2]


def test_jobs_run_in_the_order_of_submission_and_never_two_at_once(queue: JobQueue, tmp_path: Path) -> None:
    book = tmp_path / "book"
    ids = [queue.submit("steps", {"name": name, "steps": 3, "book": str(book)}) for name in "abcd"]
    for job_id in ids:
        assert wait_until_over(queue, job_id).state == "done"
    entries = [entry.split() for entry in book.read_text().splitlines()]
    assert [name for name, _, _ in entries] == list("abcd")
    for (_, _, ended), (_, begun, _) in itertools.pairwise(entries):
        assert float(ended) <= float(begun)


def test_a_waiting_job_says_how_many_are_ahead(queue: JobQueue) -> None:
    ids = [queue.submit("deaf", {}) for _ in range(3)]
    wait_until_reporting(queue, ids[0])
    assert [status.ahead for status in queue.list()] == [0, 1, 2]
    assert [queue.status(job_id).ahead for job_id in ids] == [0, 1, 2]
    assert [status.state for status in queue.list()] == ["running", "queued", "queued"]


def test_a_clock_that_was_set_back_lets_nobody_jump_the_line(queue: JobQueue) -> None:
    queue.folder.mkdir(parents=True)
    late = JobFolder.create(queue.folder / "29990101T000000000000-steps-0000", "steps", {})
    late.write(state="done")
    assert queue.submit("steps", {}) > late.id


def test_only_one_holds_the_slot(tmp_path: Path) -> None:
    first, second = (JobFolder.create(tmp_path / f"20260101T00000000000{n}-steps-0000", "steps", {}) for n in range(2))
    assert line.take_slot(second)
    assert not line.take_slot(first), "a job that was slow to appear must wait for the one that runs"
    line.release_slot(second)
    assert line.take_slot(first)


def test_the_slot_of_a_dead_worker_is_free(tmp_path: Path) -> None:
    job = JobFolder.create(tmp_path / "20260101T000000000000-steps-0000", "steps", {})
    taking = "import sys, pathlib; from nearid_core.runs import claim; claim.take(pathlib.Path(sys.argv[1]))"
    dead = tmp_path / line.SLOT / "20250101T000000000000-steps-0000"
    subprocess.run([sys.executable, "-c", taking, str(dead)], check=True, cwd=ROOT)
    assert line.take_slot(job)
    assert not dead.exists()


@pytest.mark.parametrize("victim", ["running", "waiting"])
def test_a_killed_job_does_not_hold_up_the_line(queue: JobQueue, victim: str) -> None:
    first = queue.submit("deaf", {})
    second, third = queue.submit("deaf", {}), queue.submit("steps", {})
    wait_until_reporting(queue, first)
    if victim == "waiting":
        kill_worker(queue, second, signal.SIGKILL)
        queue.cancel(first)
    else:
        queue.cancel(second)
        kill_worker(queue, first, signal.SIGKILL)
    assert wait_until_over(queue, third).state == "done"


def test_a_full_line_takes_no_more(queue: JobQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue_module, "LONGEST_LINE", 1)
    wait_until_reporting(queue, queue.submit("deaf", {}))
    queue.submit("deaf", {})
    with pytest.raises(NearIdError, match="already; wait for some, or cancel them"):
        queue.submit("deaf", {})
    assert len(queue.list()) == 2


@pytest.mark.parametrize(
    ("kind", "request_", "sentence"),
    [
        ("steps", {"bad": 1}, "bad is set"),
        ("step", {}, "did you mean 'steps'"),
        ("steps", {"when": object()}, "JSON"),
        ("steps", {"x": float("nan")}, "JSON"),
    ],
)
def test_a_bad_request_is_refused_and_nothing_is_written(
    queue: JobQueue, kind: str, request_: dict[str, object], sentence: str
) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        queue.submit(kind, request_)
    assert not queue.folder.parent.exists()


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("in the way")
    queue = JobQueue(tmp_path / "store" / ".jobs", worker="tests.jobs.toy_worker")
    with pytest.raises(InvalidInput, match="cannot be written"):
        queue.submit("steps", {})


def test_waiting_imports_nothing_heavy() -> None:
    heavy = "{'numpy', 'pandas', 'torch', 'scipy', 'sklearn', 'umap', 'pyarrow'}"
    seen = f"import sys, nearid_core.jobs.worker; print(sorted({heavy} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", seen], check=True, cwd=ROOT, capture_output=True, text=True)
    assert found.stdout.strip() == "[]"

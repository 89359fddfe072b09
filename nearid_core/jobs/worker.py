"""The process that does one job: ``python -m nearid_core.jobs.worker FOLDER``.

It waits in line before it imports anything heavy, so that thirty waiting jobs cost little, and it leaves its last word
in status.json whatever happens, short of being killed.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
import traceback
from pathlib import Path
from types import FrameType
from typing import Any

from nearid_core.errors import Cancelled, NearIdError
from nearid_core.jobs import line
from nearid_core.jobs.folder import JobFolder, now
from nearid_core.jobs.kinds import JOB_KINDS
from nearid_core.jsonable import jsonable
from nearid_core.progress import Progress
from nearid_core.runs import claim

LOOK = 0.2  # seconds between two looks at the line, and between two reports
BEAT = 5.0  # seconds between two heartbeats
KEPT = "what was finished is kept and can be taken up again."


class Reporter:
    """The progress callback of a job: writes reports, no more often than a reader looks, and stops when asked."""

    def __init__(self, job: JobFolder) -> None:
        self.job = job
        self._written = 0.0
        self._unwritten: Progress | None = None

    def __call__(self, progress: Progress) -> None:
        if self.job.asked_to_stop:
            raise Cancelled(f"Stopped on request; {KEPT}")
        self._unwritten = progress
        if time.monotonic() - self._written >= LOOK:
            self.flush()

    def flush(self) -> None:
        """Write the last report, if it is not written yet."""
        if self._unwritten is not None:
            self.job.report(self._unwritten)
            self._written, self._unwritten = time.monotonic(), None


def main(path: str) -> int:
    job = JobFolder(Path(path))
    signal.signal(signal.SIGTERM, _stop)
    if job.over or not claim.take(job.path):
        return 0
    threading.Thread(target=_beat, args=(job,), daemon=True).start()
    try:
        _wait_in_line(job)
        outcome = {"state": "done", "result": _work(job)}
    except Cancelled as stopped:
        # A signal that nobody sent through the queue (a shutdown, a scheduler's limit) is a failure with its reason.
        outcome = {"state": "cancelled" if job.asked_to_stop else "failed", "reason": str(stopped)}
    except NearIdError as error:
        outcome = {"state": "failed", "reason": str(error)}
    except Exception as error:
        traceback.print_exc()
        outcome = {"state": "failed", "reason": _one_sentence(error)}
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    line.release_slot(job)  # before the last word: until then the next in line waits anyway
    job.write(**outcome, ended=now())
    return 0


def _wait_in_line(job: JobFolder) -> None:
    waiting = line.Line(job)
    while not job.asked_to_stop and (waiting.ahead() or not line.take_slot(job)):
        time.sleep(LOOK)
    if job.asked_to_stop:
        raise Cancelled("Taken out of the line before it started.")


def _work(job: JobFolder) -> dict[str, Any]:
    if hasattr(os, "nice"):
        os.nice(5)  # the page that waits for this job has to stay responsive
    job.write(state="running", started=now())
    asked, reporter = job.request(), Reporter(job)
    result = JOB_KINDS[asked["kind"]].run(asked["request"], reporter)
    reporter.flush()
    return jsonable(result)


def _beat(job: JobFolder) -> None:
    """Heartbeats come from a thread: a long step without a report is not death."""
    while True:
        for folder in (job.path, job.path.parent / line.SLOT / job.id):
            with contextlib.suppress(OSError):
                claim.touch(folder)
        time.sleep(BEAT)


def _stop(number: int, frame: FrameType | None) -> None:
    raise Cancelled(f"The worker process was told to end (signal {number}); {KEPT}")


def _one_sentence(error: Exception) -> str:
    message = " ".join(str(error).split())
    return f"It stopped with an unexpected error, {type(error).__name__}{': ' + message if message else ''}."


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

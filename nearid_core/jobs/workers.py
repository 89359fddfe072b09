"""Worker processes: starting one, telling a live one from a dead one, ending one."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from nearid_core.jobs.folder import JobFolder
from nearid_core.runs import claim

STARTING = 60.0  # seconds that a worker has to sign its folder, on a machine busy with others
ASK, TERM, KILL = 0.8, 0.6, 0.4  # seconds that each step of ending a worker waits for the next; under 2 together

# Workers that this process started. A killed child stays a zombie until its parent asks, so they are polled here; every
# JobQueue of a process shares them, as a page makes a new queue whenever it is drawn.
_CHILDREN: dict[Path, subprocess.Popen[bytes]] = {}


def start(job: JobFolder, module: str) -> None:
    """Start the worker, in a session of its own so that it outlives this process, its terminal and its signals."""
    with job.log.open("ab") as log:
        _CHILDREN[job.path] = subprocess.Popen(
            [sys.executable, "-X", "faulthandler", "-m", module, str(job.path)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=Path(__file__).parents[2],  # where the package is found, whether or not it is installed
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            start_new_session=True,
        )


def is_alive(job: JobFolder) -> bool:
    """Whether the worker lives, or has just been started and may yet sign."""
    child = _CHILDREN.get(job.path)
    if child is not None:
        return child.poll() is None
    if claim.read(job.path) is not None:
        return claim.is_alive(job.path)
    created = job.record().get("created")
    return created is not None and (datetime.now(UTC) - datetime.fromisoformat(created)).total_seconds() < STARTING


def is_child(job: JobFolder) -> bool:
    return job.path in _CHILDREN


def reap(job: JobFolder) -> None:
    """Let go of the process of a job that is over, once it has ended."""
    child = _CHILDREN.get(job.path)
    if child is not None and child.poll() is not None:
        _CHILDREN.pop(job.path, None)


def cause_of_death(job: JobFolder) -> str:
    """One sentence on how a dead worker ended, as far as this process can know."""
    again = "what it had finished is kept: submit it again to go on."
    child = _CHILDREN.get(job.path)
    code = None if child is None else child.poll()
    if code is None and claim.read(job.path) is None:
        return f"The worker process never started; {again}"
    if code is None:
        return f"The worker process ended without a word (it was killed, or the machine restarted); {again}"
    if code == -signal.SIGKILL:
        return f"The worker process was killed (signal 9), by hand or by the system when memory ran out; {again}"
    if code < 0:
        return f"The worker process was ended by signal {-code} ({signal.strsignal(-code)}); {again}"
    return f"The worker process ended with exit code {code} and without a word; {again}"


def last_sign(job: JobFolder) -> str | None:
    """When a dead worker was last known to live, ISO 8601."""
    written = [job.path / name for name in (claim.CLAIM, "status.json", "progress.json")]
    signs = [path.stat().st_mtime for path in written if path.exists()]
    return datetime.fromtimestamp(max(signs), UTC).isoformat() if signs else None


def end(job: JobFolder) -> bool:
    """Ask the worker to stop, then make it; whether it is dead or its job over. Takes under 2 seconds.

    A worker on another host can only be asked: it stops at its next report.
    """
    job.ask_to_stop()
    if _wait(lambda: job.over or not is_alive(job), ASK):
        return True
    _signal(job, signal.SIGTERM)
    if _wait(lambda: job.over or not is_alive(job), TERM):
        return True
    _signal(job, getattr(signal, "SIGKILL", signal.SIGTERM))
    return _wait(lambda: not is_alive(job), KILL)


def _signal(job: JobFolder, number: int) -> None:
    """Signal the worker and every process it started; never a stranger that was given its pid."""
    held = claim.read(job.path)
    child = _CHILDREN.get(job.path)
    if held is not None and held.get("host") == socket.gethostname() and claim.process_alive(held):
        pid = int(held["pid"])
    elif child is not None and child.poll() is None:
        pid = child.pid
    else:
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(pid, number)
        else:
            os.kill(pid, number)


def _wait(condition: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True

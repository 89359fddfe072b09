"""Who is working on a folder: a claim that outlives nobody.

A claim names host, process and the process's start time, and is touched while its holder works. On its own host a claim
is alive while that very process lives (a zombie does not count); from another host, while the touch is recent.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import time
from pathlib import Path
from typing import Any

CLAIM = "claim.json"
FRESH = 60.0  # seconds after which a claim from another host counts as abandoned
WRITTEN_WITHIN = 2.0  # seconds after which a claim without text was left by somebody who died writing it


def process_identity() -> dict[str, Any]:
    import psutil

    return {"host": socket.gethostname(), "pid": os.getpid(), "started": psutil.Process().create_time()}


def process_alive(identity: dict[str, Any]) -> bool:
    """Whether that very process runs on this host; one that was killed and not yet reaped does not."""
    import psutil

    try:
        process = psutil.Process(int(identity["pid"]))
        return process.status() != psutil.STATUS_ZOMBIE and abs(process.create_time() - identity["started"]) < 1.0
    except (psutil.Error, KeyError, TypeError, ValueError):
        return False


def take(folder: Path) -> bool:
    """Claim `folder`, making it when it is not there. False when somebody alive holds it."""
    folder.mkdir(parents=True, exist_ok=True)
    _remove_dead(folder)
    try:
        with (folder / CLAIM).open("x", encoding="utf-8") as file:  # of several that try, one gets to make it
            file.write(json.dumps(process_identity()))
    except (FileExistsError, FileNotFoundError):  # or somebody clears the folder just now
        return False
    return True


def touch(folder: Path) -> None:
    """Say that the holder still works."""
    os.utime(folder / CLAIM)


def release(folder: Path) -> None:
    (folder / CLAIM).unlink(missing_ok=True)


def clear(folder: Path) -> None:
    """Remove a folder that is held: the claim last, and not the folder if it is claimed again in that moment."""
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        elif path.name != CLAIM:
            path.unlink(missing_ok=True)
    release(folder)
    with contextlib.suppress(OSError):
        folder.rmdir()


def is_alive(folder: Path) -> bool:
    """Whether somebody works on it now."""
    return _is_alive(folder / CLAIM)


def holder(folder: Path) -> str:
    held = read(folder) or {}
    return f"process {held.get('pid', '?')} on {held.get('host', '?')}"


def read(folder: Path) -> dict[str, Any] | None:
    """Who claimed the folder: host, pid, started; None when nobody has, or when it is not written yet."""
    return _read(folder / CLAIM)


def _read(path: Path) -> dict[str, Any] | None:
    with contextlib.suppress(FileNotFoundError, ValueError):
        return json.loads(path.read_text("utf-8"))
    return None


def _is_alive(path: Path) -> bool:
    try:
        age = time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return False
    held = _read(path)
    if held is None:
        return age < WRITTEN_WITHIN
    return process_alive(held) if held.get("host") == socket.gethostname() else age < FRESH


def _remove_dead(folder: Path) -> None:
    """Take a dead claim away. Another may do so and claim the folder in between: what was theirs is put back."""
    path, aside = folder / CLAIM, folder / f".dead-{os.getpid()}-{time.monotonic_ns()}"
    if not path.exists() or _is_alive(path):
        return
    with contextlib.suppress(FileNotFoundError):
        path.rename(aside)
        if _is_alive(aside):
            aside.rename(path)
    aside.unlink(missing_ok=True)

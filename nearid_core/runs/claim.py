"""Who is working on a folder: a claim that outlives nobody.

A claim names host, process and the process's start time, and is touched while its holder works. On its own host a claim
is alive while that very process lives (a zombie does not count); from another host, while the touch is recent.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import time
from pathlib import Path
from typing import Any

from nearid_core.runs.atomic import write_text

CLAIM = "claim.json"
FRESH = 60.0  # seconds after which a claim from another host counts as abandoned


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
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        if is_alive(folder) or not _remove_dead(folder):
            return False
    write_text(folder / CLAIM, json.dumps(process_identity()))
    return True


def touch(folder: Path) -> None:
    """Say that the holder still works."""
    os.utime(folder / CLAIM)


def release(folder: Path) -> None:
    (folder / CLAIM).unlink(missing_ok=True)


def is_alive(folder: Path) -> bool:
    """Whether somebody works on it now. A folder just made counts: its claim is about to be written."""
    try:
        held = read(folder)
        if held is None:
            return time.time() - folder.stat().st_mtime < 2.0 and not any(folder.iterdir())
        if held.get("host") == socket.gethostname():
            return process_alive(held)
        return time.time() - (folder / CLAIM).stat().st_mtime < FRESH
    except FileNotFoundError:
        return False


def holder(folder: Path) -> str:
    held = read(folder) or {}
    return f"process {held.get('pid', '?')} on {held.get('host', '?')}"


def read(folder: Path) -> dict[str, Any] | None:
    with contextlib.suppress(FileNotFoundError, ValueError):
        return json.loads((folder / CLAIM).read_text("utf-8"))
    return None


def _remove_dead(folder: Path) -> bool:
    """Of several that see a dead claim, exactly one gets to remove it."""
    if not (folder / CLAIM).exists():
        return True
    try:
        (folder / CLAIM).rename(folder / f".dead-{os.getpid()}-{time.monotonic_ns()}")
    except FileNotFoundError:
        return False
    return True

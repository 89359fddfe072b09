"""A job on disk: a folder of small files, each replaced in one step, so that a reader never sees half of one.

request.json    kind and request, as checked at submit; never changed
status.json     state, reason, result, times; written by the worker while it lives
claim.json      host, pid and start time of the worker; its modification time is the heartbeat (`runs.claim`)
progress.json   the last Progress; progress.jsonl holds all of them
cancel          there when somebody asked the job to stop
log.txt         all that the worker printed
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nearid_core.jobs.status import OVER
from nearid_core.jsonable import jsonable
from nearid_core.progress import Progress
from nearid_core.runs.atomic import write_text

LOG_TAIL = 4096  # bytes of the log that a status carries


class JobFolder:
    """Reading and writing of one job's files; it decides nothing."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.id = path.name

    @classmethod
    def create(cls, path: Path, kind: str, request: dict[str, Any]) -> JobFolder:
        """Make the folder. It appears under its name with both files in it, or not at all."""
        hidden = cls(path.with_name(f".new-{path.name}"))
        hidden.path.mkdir()
        write_text(hidden.path / "request.json", json.dumps({"kind": kind, "request": request}))
        hidden.write(state="queued", created=now())
        hidden.path.rename(path)
        return cls(path)

    def request(self) -> dict[str, Any]:
        """``{"kind": ..., "request": ...}``; empty when the file is gone or damaged."""
        return _read(self.path / "request.json")

    def record(self) -> dict[str, Any]:
        """The content of status.json; a file that cannot be read is a failed job."""
        found = _read(self.path / "status.json")
        return found if "state" in found else {"state": "failed", "reason": "The record of this job cannot be read."}

    @property
    def over(self) -> bool:
        return self.record()["state"] in OVER

    def write(self, **changes: Any) -> None:
        """Change some entries of status.json."""
        write_text(self.path / "status.json", json.dumps({**_read(self.path / "status.json"), **jsonable(changes)}))

    def report(self, progress: Progress) -> None:
        line = json.dumps(jsonable(asdict(progress)))
        write_text(self.path / "progress.json", line)
        with (self.path / "progress.jsonl").open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    def progress(self) -> Progress | None:
        found = _read(self.path / "progress.json")
        return Progress(**found) if found else None

    def history(self) -> list[Progress]:
        """Every report so far; a last line that is still being written is left out."""
        reports = []
        with contextlib.suppress(FileNotFoundError):
            for line in (self.path / "progress.jsonl").read_text("utf-8").splitlines():
                with contextlib.suppress(ValueError):
                    reports.append(Progress(**json.loads(line)))
        return reports

    def ask_to_stop(self) -> None:
        (self.path / "cancel").touch()

    @property
    def asked_to_stop(self) -> bool:
        return (self.path / "cancel").exists()

    @property
    def log(self) -> Path:
        return self.path / "log.txt"

    def log_tail(self) -> str:
        """The last whole lines of the log."""
        try:
            with self.log.open("rb") as file:
                size = file.seek(0, 2)
                file.seek(max(0, size - LOG_TAIL))
                text = file.read().decode("utf-8", "replace")
        except FileNotFoundError:
            return ""
        return text if size <= LOG_TAIL else text.partition("\n")[2]


def now() -> str:
    return datetime.now(UTC).isoformat()


def _read(path: Path) -> dict[str, Any]:
    with contextlib.suppress(OSError, ValueError):
        found = json.loads(path.read_text("utf-8"))
        return found if isinstance(found, dict) else {}
    return {}

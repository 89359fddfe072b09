"""What is known of a job at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from nearid_core.progress import Progress

OVER = frozenset({"done", "failed", "cancelled"})


@dataclass(frozen=True)
class JobStatus:
    """A job at the moment of asking.

    state : "queued", "running", "done", "failed" or "cancelled".
    reason : why it failed or was cancelled, one sentence; None otherwise.
    result : what its kind returns, JSON types only; None until it is done.
    progress : the last report, None before the first.
    created, started, ended : UTC; `started` is None while it waits, `ended` until it is over.
    ahead : jobs that have to end before this one starts; 0 unless queued.
    log : the last lines that the worker printed, the detail behind `reason`.
    """

    id: str
    kind: str
    request: Mapping[str, Any]
    state: str
    reason: str | None = None
    result: Mapping[str, Any] | None = None
    progress: Progress | None = None
    created: datetime | None = None
    started: datetime | None = None
    ended: datetime | None = None
    ahead: int = 0
    log: str = ""

    @property
    def over(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.state in OVER

    @property
    def seconds(self) -> float | None:
        """How long it has been worked on; None before it started."""
        return None if self.started is None else ((self.ended or datetime.now(UTC)) - self.started).total_seconds()

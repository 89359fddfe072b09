"""Small jobs that misbehave in every way a real one can. Importing this module registers them."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nearid_core.errors import InvalidInput, NotIdentifiable
from nearid_core.jobs.kinds import JOB_KINDS
from nearid_core.progress import Progress, ProgressCallback


@dataclass(frozen=True)
class ToyKind:
    name: str
    do: Callable[[Mapping[str, Any], ProgressCallback], dict[str, Any]]
    description: str = "Only for tests."

    def check(self, request: Mapping[str, Any]) -> dict[str, Any]:
        if request.get("bad"):
            raise InvalidInput("bad is set; leave it out.")
        return dict(request)

    def run(self, request: Mapping[str, Any], on_progress: ProgressCallback) -> dict[str, Any]:
        return self.do(request, on_progress)


def steps(request: Mapping[str, Any], on_progress: ProgressCallback) -> dict[str, Any]:
    """Write down when it works, in a file shared by all jobs of a test, and report as it goes."""
    begun, total = time.time(), request.get("steps", 1)
    for step in range(total):
        on_progress(Progress("counting", step, total, time.time() - begun, {"loss": {"0": float("nan")}}))
        time.sleep(0.05)
    if "book" in request:
        with Path(request["book"]).open("a", encoding="utf-8") as book:
            book.write(f"{request['name']} {begun} {time.time()}\n")
    return {"steps": total}


def deaf(request: Mapping[str, Any], on_progress: ProgressCallback) -> dict[str, Any]:
    """Reports once, then never again, and shrugs off what SIGTERM raises."""
    on_progress(Progress("sulking", 0, 1, 0.0))
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            time.sleep(60)
        except Exception:
            continue
    return {}


def refuse(request: Mapping[str, Any], on_progress: ProgressCallback) -> dict[str, Any]:
    raise NotIdentifiable("These numbers do not say; take more samples.")


def crash(request: Mapping[str, Any], on_progress: ProgressCallback) -> dict[str, Any]:
    sys.stdout.write("about to divide\n")
    return {"never": 1 // int(request.get("zero", 0))}


def leave(request: Mapping[str, Any], on_progress: ProgressCallback) -> dict[str, Any]:
    os._exit(3)


for kind in (steps, deaf, refuse, crash, leave):
    JOB_KINDS.register(ToyKind(kind.__name__, kind))

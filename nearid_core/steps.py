"""Progress over stages of different length, as one callback."""

from __future__ import annotations

import time
from collections.abc import Mapping

from nearid_core.progress import Progress, ProgressCallback


class Steps:
    """stages : what each is called, and about how long it takes against the others, in the order they come."""

    def __init__(self, on_progress: ProgressCallback, stages: Mapping[str, int]) -> None:
        self._tell, self._stages, self._began = on_progress, stages, time.monotonic()

    def enter(self, stage: str) -> ProgressCallback:
        """Begin a stage; returns the callback that says how far it is."""
        names = list(self._stages)
        before = sum(self._stages[name] for name in names[: names.index(stage)])
        self._say(stage, before)
        weight = self._stages[stage]
        return lambda inner: self._say(inner.what, before + int(weight * inner.fraction))

    def _say(self, what: str, done: int) -> None:
        self._tell(Progress(what, done, sum(self._stages.values()), time.monotonic() - self._began))

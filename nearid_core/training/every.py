"""Something to do now and then."""

from __future__ import annotations

import time


class Every:
    """Says yes about once every so many seconds; the first time after one interval."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._next = time.monotonic() + seconds

    def due(self) -> bool:
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + self.seconds
        return True

"""One way to say how far something is, for a terminal, a page and a test alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Progress:
    """A moment of some long work.

    what : what is being done now, in the user's words.
    done, total : units of work (steps, pairs); total is at least 1.
    seconds : wall time since the work began.
    detail : what this kind of work adds, JSON-able; training gives ``loss`` (a mapping of seed to loss) and
        ``samples_per_second``.
    """

    what: str
    done: int
    total: int
    seconds: float
    detail: Mapping[str, Any] = field(default_factory=dict)

    @property
    def fraction(self) -> float:
        return min(1.0, self.done / max(1, self.total))

    @property
    def seconds_left(self) -> float | None:
        """Time left at the pace so far; None before there is a pace."""
        return None if self.done <= 0 else self.seconds * (self.total - self.done) / self.done


ProgressCallback = Callable[[Progress], None]
"""Called often and from one thread. Raising from it (``Cancelled``) stops the work."""


def ignore(progress: Progress) -> None:
    """The callback of someone who does not want to know."""

"""Progress on the terminal: a bar for a person, a line now and then for a log file, nothing for a machine."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from nearid_core.progress import Progress, ProgressCallback, ignore

if TYPE_CHECKING:
    from tqdm import tqdm

EVERY = 15.0  # seconds between two lines of a log


@contextmanager
def progress_on_stderr(silent: bool) -> Iterator[ProgressCallback]:
    """A callback that draws on stderr until the block ends."""
    if silent:
        yield ignore
        return
    if not sys.stderr.isatty():
        yield _Lines()
        return
    bar = _Bar()
    try:
        yield bar
    finally:
        bar.close()


class _Bar:
    def __init__(self) -> None:
        self._bar: tqdm | None = None

    def __call__(self, progress: Progress) -> None:
        from tqdm import tqdm

        if self._bar is None:
            self._bar = tqdm(total=progress.total, file=sys.stderr, dynamic_ncols=True, leave=True)
        if progress.total != self._bar.total or progress.done < self._bar.n:
            self._bar.reset(total=progress.total)
        self._bar.set_description_str(progress.what, refresh=False)
        self._bar.set_postfix_str(_measures(progress.detail), refresh=False)
        self._bar.update(progress.done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


class _Lines:
    def __init__(self) -> None:
        self._next = EVERY

    def __call__(self, progress: Progress) -> None:
        if progress.seconds < self._next:
            return
        self._next = progress.seconds + EVERY
        left = "" if progress.seconds_left is None else f"about {progress.seconds_left:.0f} s left"
        parts = [f"{progress.what}: {progress.fraction:.0%}", _measures(progress.detail), left]
        print(", ".join(part for part in parts if part), file=sys.stderr, flush=True)


def _measures(detail: Mapping[str, object]) -> str:
    """Mean loss over the seeds that still have one, and the pace."""
    losses = detail.get("loss")
    finite = [x for x in losses.values() if x is not None and math.isfinite(x)] if isinstance(losses, Mapping) else []
    pace = detail.get("samples_per_second")
    parts = [f"loss {sum(finite) / len(finite):.4g}"] if finite else []
    if isinstance(pace, (int, float)) and math.isfinite(pace):
        parts.append(f"{pace:,.0f} samples/s")
    return ", ".join(parts)

"""Who is next: first come, first served, and one at a time.

Job ids sort by the time of submission, so the line is the sorted list of folders. A job may start when every job before
it is over or dead, and when it holds the slot. The slot is what keeps two from starting at once where the list alone
would let them: a job that was slow to appear may stand before one that already runs.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from nearid_core.jobs import workers
from nearid_core.jobs.folder import JobFolder
from nearid_core.runs import claim

JOB_ID = re.compile(r"\d{8}T\d{12}-[a-z0-9_]+-[0-9a-f]{4}")
SLOT = ".slot"


def jobs(queue: Path) -> list[JobFolder]:
    """Every job, in the order of submission."""
    return [JobFolder(path) for path in sorted(queue.glob("2*")) if JOB_ID.fullmatch(path.name)]


class Line:
    """The jobs before one's own. What is over or dead stays so, and is looked at once only."""

    def __init__(self, job: JobFolder) -> None:
        self.job = job
        self._gone: set[str] = set()

    def ahead(self) -> list[str]:
        """Ids of the live jobs before this one."""
        return [other.id for other in jobs(self.job.path.parent) if other.id < self.job.id and self._waits_for(other)]

    def _waits_for(self, other: JobFolder) -> bool:
        if other.id in self._gone:
            return False
        if not other.over and workers.is_alive(other):
            return True
        self._gone.add(other.id)
        return False


def take_slot(job: JobFolder) -> bool:
    """Claim the right to work; False when another holds it.

    Announce, then look: of two that do so at once, the later sees the earlier and withdraws. Both may see each other
    and withdraw; the next attempt is made only by the one that stands first in the line.
    """
    mine = job.path.parent / SLOT / job.id
    try:
        if not claim.take(mine):
            return False
    except FileNotFoundError:  # so slow to sign that another took it for dead and removed it
        return False
    others = [path for path in mine.parent.iterdir() if path != mine]
    if any(claim.is_alive(other) for other in others):
        release_slot(job)
        return False
    for other in others:
        shutil.rmtree(other, ignore_errors=True)
    return True


def release_slot(job: JobFolder) -> None:
    shutil.rmtree(job.path.parent / SLOT / job.id, ignore_errors=True)

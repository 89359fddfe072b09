"""Progress over groups of seeds that are trained one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from nearid_core.progress import Progress, ProgressCallback
from nearid_core.runs import RunWriter
from nearid_core.training.every import Every
from nearid_core.training.fit import Fit
from nearid_core.training.record import name_seeds

HEARTBEAT_EVERY = 10.0  # seconds; a claim counts as abandoned after a minute without one


class GroupProgress:
    """Adds the groups up for one callback, and keeps the claims of all of them alive, also of those that wait."""

    def __init__(self, groups: int, writers: Sequence[RunWriter], on_progress: ProgressCallback) -> None:
        self.groups, self.writers, self.on_progress = groups, writers, on_progress
        self._groups_done, self._seconds_done, self._steps = 0, 0.0, 1
        self._beat = Every(HEARTBEAT_EVERY)

    def tell(self, fit: Fit, losses: dict[int, float]) -> None:
        """losses : of each running seed at the last step."""
        if self._beat.due():
            for writer in self.writers:
                writer.heartbeat()
        self.on_progress(
            Progress(
                what=f"Training {name_seeds(fit.seeds)}",
                done=self._groups_done * fit.total + fit.step,
                total=self.groups * fit.total,
                seconds=self._seconds_done + fit.seconds,
                detail={"loss": losses, "samples_per_second": fit.samples_per_second},
            )
        )

    def end_group(self, fit: Fit) -> None:
        self._groups_done, self._steps = self._groups_done + 1, fit.total
        self._seconds_done += fit.seconds

    def end(self) -> None:
        """The last word, once everything is in the store."""
        steps = self.groups * self._steps
        self.on_progress(Progress("Trained", steps, steps, self._seconds_done))

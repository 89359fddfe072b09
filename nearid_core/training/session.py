"""One group of seeds, trained and written down."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from nearid_core.models import FAMILIES
from nearid_core.runs import RunWriter
from nearid_core.training.capture import capture
from nearid_core.training.every import Every
from nearid_core.training.fit import Fit
from nearid_core.training.network_inputs import NetworkInputs
from nearid_core.training.record import describe_run, stopped_reason
from nearid_core.training.stem import behind

PROGRESS_EVERY = 0.2  # seconds
LOG_EVERY = 0.5
CHECKPOINT_EVERY = 10.0


class Session:
    """Takes a fit through its steps: tells how it goes, keeps checkpoints, and puts each seed's run into the store.

    writers : the claimed run of each of the fit's seeds, in their order.
    made_by : what a checkpoint has to share with whoever continues it.
    tell : called with the loss of each running seed, between two steps; what it raises ends the session, which
        can then be resumed at that step.
    """

    def __init__(
        self,
        fit: Fit,
        inputs: NetworkInputs,
        layers: Sequence[str],
        writers: Sequence[RunWriter],
        made_by: Mapping[str, Any],
        tell: Callable[[Fit, dict[int, float]], None],
    ) -> None:
        self.fit, self.inputs, self.layers, self.made_by, self.tell = fit, inputs, layers, made_by, tell
        self.writers = dict(enumerate(writers))  # of the seeds that are not in the store yet, by index

    def run(self) -> None:
        told, logged, kept = Every(PROGRESS_EVERY), Every(LOG_EVERY), Every(CHECKPOINT_EVERY)
        while self.fit.running and not self.fit.done:
            self.fit.advance()
            if told.due():
                self._tell()
            if logged.due():
                self._log()
            if kept.due():
                self._keep()
            self._store_stopped()
        self._log()
        self._store_finished()

    def _losses(self) -> dict[int, float]:
        losses = self.fit.losses()
        return {index: losses[index] for index in self.fit.running}

    def _tell(self) -> None:
        try:
            self.tell(self.fit, {self.fit.seeds[index]: loss for index, loss in self._losses().items()})
        except BaseException:  # also Ctrl-C in the callback: between two steps everything can be kept
            self._keep()
            raise

    def _log(self) -> None:
        epoch = self.fit.step // self.fit.steps_per_epoch
        for index, loss in self._losses().items():
            entry = {"epoch": epoch, "step": self.fit.step, "loss": loss, "seconds": round(self.fit.seconds, 3)}
            self.writers[index].log(entry)

    def _keep(self) -> None:
        for index in self.fit.running:
            self.fit.checkpoint(index).save(self.writers[index].checkpoint, self.made_by)

    def _store_stopped(self) -> None:
        for index, step in self.fit.stopped.items():
            if index in self.writers:
                self._store_failed(index, step)

    def _store_failed(self, index: int, step: int) -> None:
        reason = stopped_reason(self.fit.config, self.fit.seeds[index], step, self.fit.total)
        record = describe_run(self.fit, index, self.inputs.dataset) | {"status": "failed", "reason": reason}
        self.writers.pop(index).finish(record, history=self.fit.history.of(index))

    def _store_finished(self) -> None:
        train_losses, test_losses = (self.fit.mean_losses(part) for part in (self.fit.train, self.fit.test))
        for index in self.fit.running:
            if np.isfinite(train_losses[index]):
                self._store_done(index, {"train_loss": train_losses[index], "test_loss": test_losses[index]})
            else:  # the very last step broke it
                self._store_failed(index, self.fit.step)

    def _store_done(self, index: int, losses: Mapping[str, float]) -> None:
        dataset, device, stem = self.inputs.dataset, self.fit.plan.device, self.inputs.stem
        model = behind(stem, self.fit.stack.model(index)).to(device)
        family = FAMILIES[self.fit.config.family]
        held_back = dataset.features[dataset.samples["split"] == "test"]
        seen = capture(model, held_back, family.layer_names(self.fit.config, self.inputs.shape), device)
        metrics = {**losses, **{f"test_{name}": value for name, value in family.metrics(held_back, seen).items()}}
        record = describe_run(self.fit, index, self.inputs.dataset) | {
            "status": "done",
            "metrics": {name: float(value) for name, value in metrics.items()},
        }
        self.writers.pop(index).finish(
            record,
            samples=dataset.samples,
            layers=capture(model, dataset.features, self.layers, device),
            weights=self.fit.stack.weights(index) | (stem.weights() if stem else {}),
            history=self.fit.history.of(index),
        )

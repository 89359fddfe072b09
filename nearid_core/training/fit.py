"""The training loop: seeds of one configuration, in step, each on its own order of the samples."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from nearid_core.models import FAMILIES
from nearid_core.training.checkpoint import Checkpoint
from nearid_core.training.chunks import samples_at_once
from nearid_core.training.config import TrainConfig
from nearid_core.training.history import History
from nearid_core.training.optimizer import adam, load_moments, moments
from nearid_core.training.plan import Plan
from nearid_core.training.schedule import epoch_order, learning_rate, noise_of_evaluation, noise_of_step
from nearid_core.training.stack import Stack

TEST_LOSSES = 20  # times the test loss is read while training


def initial_model(config: TrainConfig, shape: tuple[int, ...], seed: int) -> torch.nn.Module:
    """The model that a seed starts from; torch's own random state is left as it was."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        return FAMILIES[config.family].build(config, shape)


def batch_size(config: TrainConfig, n_train: int) -> int:
    return min(config.batch_size, n_train)


class Fit:
    """A stack of seeds on its way from `step` 0 to `total`.

    train, test : (n, features) float32. shape : of a sample, as in `Family`; (features,) where it is not given.
    stopped : index of a seed whose loss is no longer finite, to the step where it broke. The seed stays in the stack,
        where it can disturb no other, but is not read any more.
    """

    def __init__(
        self,
        config: TrainConfig,
        seeds: Sequence[int],
        train: np.ndarray,
        test: np.ndarray,
        plan: Plan,
        shape: tuple[int, ...] | None = None,
    ) -> None:
        self.config, self.seeds, self.plan = config, list(seeds), plan
        self.train, self.test = (torch.from_numpy(part).to(plan.device) for part in (train, test))
        self.batch_size = batch_size(config, len(train))
        self.steps_per_epoch = len(train) // self.batch_size  # the few left over are others in each epoch
        self.epochs = config.epochs or 0
        self.total = self.epochs * self.steps_per_epoch
        models = [initial_model(config, shape or train.shape[1:], seed) for seed in seeds]
        self.stack = Stack(models, plan.device, side_by_side=plan.execution == "stacked")
        self.optimizer = adam(self.stack.flat, config.weight_decay or 0.0)
        self._noisy = bool(self.stack.noise(1, [noise_of_step(0, 0)]))
        self.step = 0
        self.stopped: dict[int, int] = {}
        self.history = History(len(self.seeds))
        self._epoch_losses = torch.zeros(self.steps_per_epoch, len(self.seeds), device=plan.device)
        self._order: tuple[int, Tensor] | None = None
        self._begun_at, self._began = 0, time.perf_counter()
        self._seconds, self._cpu_seconds = -self._began, -time.process_time()

    def advance(self) -> None:
        """One step of every seed."""
        epoch, within = divmod(self.step, self.steps_per_epoch)
        rows = self._orders(epoch)[:, within * self.batch_size : (within + 1) * self.batch_size]
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate(self.step, self.total, self.config.learning_rate)
        with self.plan.autocast():
            losses = self.stack.losses(self.train[rows], self._noise())
        self.stack.backward(losses)
        self.optimizer.step()
        self.step += 1
        self.stack.after_step(self.step, last=self.done)
        self._epoch_losses[within] = losses.detach()
        if within == self.steps_per_epoch - 1:
            self._end_epoch(epoch + 1)

    @property
    def done(self) -> bool:
        return self.step >= self.total

    @property
    def running(self) -> list[int]:
        """Indices of the seeds that have not stopped."""
        return [index for index in range(len(self.seeds)) if index not in self.stopped]

    @property
    def seconds(self) -> float:
        """Wall time spent on this, with what was spent before it was cut off and resumed."""
        return self._seconds + time.perf_counter()

    @property
    def cpu_seconds(self) -> float:
        """The process's CPU time spent on this, shared evenly between the seeds."""
        return (self._cpu_seconds + time.process_time()) / len(self.seeds)

    @property
    def samples_per_second(self) -> float:
        """Samples that all running seeds together take in, since this began or was resumed."""
        samples = (self.step - self._begun_at) * self.batch_size * len(self.running)
        return samples / (time.perf_counter() - self._began)

    def losses(self) -> list[float]:
        """Each seed's loss at the last step; takes note of those that broke."""
        within = (self.step - 1) % self.steps_per_epoch
        losses = self._epoch_losses[: within + 1].cpu()
        self._note_stopped(losses)
        return losses[within].tolist()

    @torch.no_grad()
    def mean_losses(self, features: Tensor) -> np.ndarray:
        """Mean loss of every seed over the samples, (seeds,) float64; NaN when there are no samples."""
        if len(features) == 0:
            return np.full(len(self.seeds), np.nan)
        at_once = self.batch_size if self.stack.couples_samples else samples_at_once(features.shape[1])
        chunks = features.split(at_once)
        each = [self._losses_of(number, chunk) for number, chunk in enumerate(chunks)]
        return np.average(each, axis=0, weights=[len(chunk) for chunk in chunks])

    def checkpoint(self, index: int) -> Checkpoint:
        """Where one seed stands, for `resume`; there is something to keep from the first step on."""
        within = self.step % self.steps_per_epoch
        return Checkpoint(
            step=self.step,
            weights=self.stack.weights(index),
            moments=moments(self.optimizer, self.stack.flat, index),
            epoch_losses=self._epoch_losses[:within, index].cpu().numpy().copy(),
            history=self.history.of(index),
            seconds=self.seconds,
            cpu_seconds=self.cpu_seconds,
        )

    def resume(self, checkpoints: Sequence[Checkpoint]) -> None:
        """Stand where the checkpoints do, one a seed and all of one step."""
        self.step = self._begun_at = checkpoints[0].step
        self._seconds += max(one.seconds for one in checkpoints)
        self._cpu_seconds += sum(one.cpu_seconds for one in checkpoints)
        for index, one in enumerate(checkpoints):
            self.stack.load(index, one.weights)
            self._epoch_losses[: len(one.epoch_losses), index] = torch.from_numpy(one.epoch_losses).to(self.plan.device)
        load_moments(self.optimizer, self.stack.flat, [one.moments for one in checkpoints], self.step)
        self.history = History.of_seeds([one.history for one in checkpoints])

    def _losses_of(self, number: int, chunk: Tensor) -> list[float]:
        """Each seed's loss of a chunk, all with the noise of that chunk."""
        noise = self.stack.noise(len(chunk), [noise_of_evaluation(number)])
        alone = {name: value[0] for name, value in noise.items()}
        return [self.stack.loss_of(index, chunk, alone).item() for index in range(len(self.seeds))]

    def _noise(self) -> dict[str, Tensor]:
        """Of the step at hand, (seeds, batch, ...) each."""
        if not self._noisy:
            return {}
        return self.stack.noise(self.batch_size, [noise_of_step(seed, self.step) for seed in self.seeds])

    def _orders(self, epoch: int) -> Tensor:
        """(seeds, n) rows of `train`, each seed in its own order."""
        if self._order is None or self._order[0] != epoch:
            orders = np.stack([epoch_order(seed, epoch, len(self.train)) for seed in self.seeds])
            self._order = epoch, torch.from_numpy(orders).to(self.plan.device)
        return self._order[1]

    def _end_epoch(self, epoch: int) -> None:
        losses = self._epoch_losses.cpu()
        self._note_stopped(losses)
        reads_test = self.done or epoch % max(1, self.epochs // TEST_LOSSES) == 0
        test_loss = self.mean_losses(self.test) if reads_test else np.full(len(self.seeds), np.nan)
        self.history.append(epoch, self.step, self.seconds, losses.double().mean(0).numpy(), test_loss)

    def _note_stopped(self, losses: Tensor) -> None:
        """losses : (steps, seeds) of the epoch at hand, as far as it got."""
        steps_before = (self.step - 1) // self.steps_per_epoch * self.steps_per_epoch
        for within, index in torch.nonzero(~torch.isfinite(losses)).tolist():
            self.stopped.setdefault(index, steps_before + within + 1)

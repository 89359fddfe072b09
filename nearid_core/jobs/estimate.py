"""How long a job will take, told from earlier ones of the same shape; None where there was none.

Nothing is extrapolated over shapes: the time of a comparison grows steeply and unevenly with the width of the layer,
that of a training with everything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from nearid_core.errors import NearIdError
from nearid_core.jobs.queue import JobQueue

if TYPE_CHECKING:
    from nearid_core.runs import Run, RunStore
    from nearid_core.training import TrainConfig


def training_seconds(store: RunStore, config: TrainConfig, n_seeds: int) -> float | None:
    """Wall time for so many seeds, from the latest run that differs at most in seed, epochs, rates and slope."""
    there = store.runs(config.dataset, config.family)
    alike = [run for run in there if run.status == "done" and run.config and _shape(run.config) == _shape(config)]
    if not alike or not config.epochs:
        return None
    latest = max(alike, key=lambda run: run.created)
    together = len(latest.plan.get("seeds", [latest.seed]))
    epochs = latest.config.epochs if latest.config else None
    return None if not epochs else latest.seconds / together / epochs * config.epochs * n_seeds


def comparison_seconds(queue: JobQueue, runs: Sequence[Run], layer: str) -> float | None:
    """Wall time of a comparison, from the latest one of as many samples and columns; it grows with the pairs."""
    for status in reversed(queue.list()):
        if status.kind != "compare" or status.state != "done" or status.seconds is None:
            continue
        compared = status.request["runs"]
        if _layer_shape(status.request, compared[0]) == runs[0].record["layers"][layer]["shape"]:
            return status.seconds * (len(runs) * (len(runs) - 1)) / (len(compared) * (len(compared) - 1))
    return None


def report_seconds(queue: JobQueue, run: Run, layer: str, kind: str) -> float | None:
    """Wall time of a batch report, or of its UMAP, from the latest one (kind) of as many samples and columns."""
    for status in reversed(queue.list()):
        if status.kind != kind or status.state != "done" or status.seconds is None:
            continue
        if _layer_shape(status.request, status.request["run"]) == run.record["layers"][layer]["shape"]:
            return status.seconds
    return None


def factor_seconds(queue: JobQueue, runs: Sequence[Run], layer: str) -> float | None:
    """Wall time of factor reports, from the latest ones of as many samples and columns; it grows with the runs."""
    for status in reversed(queue.list()):
        if status.kind != "factors" or status.state != "done" or status.seconds is None:
            continue
        read = status.request["runs"]
        if _layer_shape(status.request, read[0]) == runs[0].record["layers"][layer]["shape"]:
            return status.seconds * len(runs) / len(read)
    return None


def _shape(config: TrainConfig) -> dict[str, object]:
    """What decides the time of one epoch."""
    free = {"epochs", "learning_rate", "weight_decay", "negative_slope"}
    return {name: value for name, value in config.to_dict().items() if name not in free}


def _layer_shape(request: Mapping[str, Any], run_id: str) -> list[int] | None:
    from nearid_core.runs import RunStore

    stores = request["store"] if isinstance(request["store"], list) else [request["store"]]
    for path in stores:
        try:
            return RunStore(path).get(run_id).record["layers"][request["layer"]]["shape"]
        except (NearIdError, KeyError):
            continue
    return None

"""`train`: from a configuration and seeds to runs in a store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from nearid_core.datasets import DATASETS, Dataset
from nearid_core.errors import InvalidInput
from nearid_core.models import FAMILIES
from nearid_core.progress import Progress, ProgressCallback, ignore
from nearid_core.registry import unknown
from nearid_core.runs import Run, RunStore, RunWriter
from nearid_core.training.checkpoint import Checkpoint
from nearid_core.training.config import TrainConfig
from nearid_core.training.fit import Fit, batch_size, initial_model
from nearid_core.training.group_progress import GroupProgress
from nearid_core.training.network_inputs import NetworkInputs
from nearid_core.training.plan import Plan, choose_plan
from nearid_core.training.seeds import parse_seeds
from nearid_core.training.session import Session
from nearid_core.training.stem import check_components


def train(
    config: TrainConfig,
    seeds: str | int | Iterable[int],
    store: RunStore | str | Path,
    *,
    device: str = "auto",
    layers: Sequence[str] | None = None,
    on_progress: ProgressCallback | None = None,
) -> list[Run]:
    """Train the seeds of a configuration and return their runs, by seed.

    The seed decides initialisation and order of the samples; the same seed gives the same weights, to the bit, on the
    same CPU, device and torch version, whatever other seeds are trained with it. Runs that the store has already are
    returned as they are; failed ones are tried again; a training that was cut off goes on where it stood.

    seeds : numbers, or text such as "0-7" or "0,2,5".
    store : a RunStore, or its folder.
    device : "cpu", "cuda", or "auto", which takes cuda when there is one.
    layers : the layers to keep of each run, by name; None keeps all.
    on_progress : called about five times a second and at the end. What it raises stops the training, which the
        same call resumes.

    A seed whose loss is no longer finite becomes a run with status "failed" and its reason; the others go on.

    Raises InvalidInput, before anything is trained, for seeds, a device, layers or a store that cannot be used, or
    when another process is training one of the runs.
    """
    store = store if isinstance(store, RunStore) else RunStore(store)
    numbers = parse_seeds(seeds)
    dataset = DATASETS[config.dataset].load(**config.dataset_options)
    shape = _network_shape(config, dataset)
    FAMILIES[config.family].check(config, shape)
    kept = _kept_layers(config, shape, layers)
    plan = _plan(config, shape, int((dataset.samples["split"] == "train").sum()), device)
    missing = [seed for seed in numbers if not _is_done(store, config, seed, layers, dataset)]
    if missing:
        store.prepare()
        _train_missing(config, missing, dataset, plan, kept, store, on_progress or ignore)
    elif on_progress is not None:
        on_progress(Progress("All runs are in the store already", 1, 1, 0.0))
    return [store.get(config.run_id(seed)) for seed in numbers]


def _network_shape(config: TrainConfig, dataset: Dataset) -> tuple[int, ...]:
    """The shape of what the network sees: of the samples, or of their projections by a stem."""
    if config.stem == 0:
        return dataset.sample_shape
    check_components(config.stem, (int((dataset.samples["split"] == "train").sum()), dataset.features.shape[1]))
    return (config.stem,)


def _plan(config: TrainConfig, shape: tuple[int, ...], n_train: int, device: str) -> Plan:
    model: Any = initial_model(config, shape, 0)
    weights = sum(parameter.numel() for parameter in model.parameters())
    batch = batch_size(config, n_train)
    return choose_plan(weights, batch, device, stackable=model.stackable, bears_bfloat16=model.bears_bfloat16)


def _train_missing(
    config: TrainConfig,
    seeds: list[int],
    dataset: Dataset,
    plan: Plan,
    layers: list[str],
    store: RunStore,
    on_progress: ProgressCallback,
) -> None:
    with plan.in_force(), ExitStack() as claims:
        writers: dict[int, RunWriter] = {}
        for seed in seeds:
            request = {"config": config.to_dict(), "seed": seed}
            writers[seed] = claims.enter_context(store.begin(config.run_id(seed), request))
        inputs = NetworkInputs.of(config, dataset)
        made_by = {
            "execution": plan.execution,
            "device": plan.device,
            "torch": plan.torch,
            "precision": plan.precision,
            "data": inputs.digest,
        }
        begun = {seed: Checkpoint.load(writer.checkpoint, made_by) for seed, writer in writers.items()}
        groups = plan.groups(seeds, {seed: one.step if one else 0 for seed, one in begun.items()})
        progress = GroupProgress(len(groups), list(writers.values()), on_progress)
        for group in groups:
            fit = Fit(config, group, inputs.train, inputs.test, plan, inputs.shape)
            if checkpoints := [one for seed in group if (one := begun[seed])]:
                fit.resume(checkpoints)
            for seed in group:
                writers[seed].rewind(fit.step)
            Session(fit, inputs, layers, [writers[seed] for seed in group], made_by, progress.tell).run()
            progress.end_group(fit)
    progress.end()


def _is_done(store: RunStore, config: TrainConfig, seed: int, layers: Sequence[str] | None, dataset: Dataset) -> bool:
    """Whether the store has the run, and so with the layers asked for. A damaged one is not overwritten but named."""
    run_id = config.run_id(seed)
    if not (store.path / run_id).is_dir():
        return False
    run = store.get(run_id)
    lacking = [layer for layer in layers or () if layer not in run.layers]
    if run.status == "done" and lacking:
        raise InvalidInput(
            f"Run {run_id} is in the store without layer {', '.join(lacking)}; delete it to train it again with more."
        )
    if run.status == "done" and dataset.options.get("path") and run.dataset["digest"] != dataset.digest:
        raise InvalidInput(
            f"Run {run_id} was trained on what {dataset.options['path']} held then, and the file is another one now; "
            f"give the new file another name, or delete the runs of the old one."
        )
    return run.status == "done"


def _kept_layers(config: TrainConfig, shape: tuple[int, ...], layers: Sequence[str] | None) -> list[str]:
    """The layers to keep, in the order they have in the model."""
    there = FAMILIES[config.family].layer_names(config, shape)
    if layers is None:
        return there
    if isinstance(layers, str) or not layers:
        raise InvalidInput(f"layers is {layers!r}; expected a list of names out of {', '.join(there)}.")
    for layer in layers:
        if layer not in there:
            raise InvalidInput(unknown(f"layer of {config.family}", layer, there))
    return [layer for layer in there if layer in layers]

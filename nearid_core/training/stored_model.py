"""The model of a stored run."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

import numpy as np
import torch
from torch import nn

from nearid_core.errors import CorruptRun, InvalidInput
from nearid_core.models import FAMILIES
from nearid_core.runs import Run
from nearid_core.training.config import TrainConfig
from nearid_core.training.stem import STEM_WEIGHTS, Stem, behind


def load_model(run: Run) -> nn.Module:
    """The trained model of a run, in eval mode on the CPU, from its record and its weights.

    ``model.encode(inputs)`` gives the layer ``latent`` of flat samples, (n, features) to (n, latent);
    ``model.decode(latent)`` rebuilds samples; ``model.layers(inputs)`` gives every layer by name.

    Raises InvalidInput for a run that was not trained here or failed, CorruptRun where its weights are not those of
    its configuration.
    """
    if run.config is None:
        raise InvalidInput(f"Run {run.id} was imported and has no model; take a run that was trained here.")
    weights, shape = run.weights(), _sample_shape(run)
    stem = Stem.of_weights(weights)
    if run.config.stem:
        _check_stem(run, stem, (run.config.stem, prod(shape)))
        shape = (run.config.stem,)
    own = {name: value for name, value in weights.items() if name not in STEM_WEIGHTS}
    return behind(stem, _network(run, run.config, shape, own)).eval()


def _check_stem(run: Run, stem: Stem | None, shape: tuple[int, int]) -> None:
    found = None if stem is None else (stem.components.shape, stem.mean.shape)
    if found != (shape, shape[1:]):
        raise CorruptRun(
            f"Run {run.id} is damaged: its configuration has a stem of {shape[0]} components of {shape[1]} features, "
            f"which its weights do not have; delete it and train it again."
        )


def _network(run: Run, config: TrainConfig, shape: tuple[int, ...], weights: Mapping[str, np.ndarray]) -> nn.Module:
    family = FAMILIES[config.family]
    family.check(config, shape)
    with torch.device("meta"):  # so that a record cannot ask for more memory than its weights take
        network = family.build(config, shape)
    expected = {name: tuple(value.shape) for name, value in network.named_parameters()}
    found = {name: value.shape for name, value in weights.items()}
    if expected != found:
        name = next(iter(sorted(set(expected.items()) ^ set(found.items()))))[0]
        raise CorruptRun(
            f"Run {run.id} is damaged: its weights {name} are {found.get(name, 'missing')}, its configuration has "
            f"{expected.get(name, 'none')}; delete it and train it again."
        )
    loaded = {name: torch.tensor(np.asarray(value, dtype=np.float32)) for name, value in weights.items()}
    network.load_state_dict(loaded, assign=True)
    return network


def _sample_shape(run: Run) -> tuple[int, ...]:
    """As in `Family`. Records of runs from before n_features was kept tell it by their output."""
    if run.dataset.get("image_shape"):
        return tuple(run.dataset["image_shape"])
    if "n_features" in run.dataset:
        return (run.dataset["n_features"],)
    if "output" in run.layers:
        return tuple(run.record["layers"]["output"]["shape"][1:])
    raise InvalidInput(f"Run {run.id} does not tell how many features its samples have; train it again.")

"""The model of a stored run."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch import nn

from nearid_core.errors import CorruptRun, InvalidInput
from nearid_core.models import FAMILIES
from nearid_core.runs import Run
from nearid_core.training.config import TrainConfig
from nearid_core.training.stem import Stem, behind


def load_model(run: Run) -> nn.Module:
    """The trained model of a run, in eval mode on the CPU, from its record and its weights.

    ``model.encode(inputs)`` gives the layer ``latent`` of flat samples, (n, features) to (n, latent);
    ``model.decode(latent)`` rebuilds samples; ``model.layers(inputs)`` gives every layer by name.

    Raises InvalidInput for a run that was not trained here or failed, CorruptRun where its weights are not those of
    its configuration.
    """
    if run.config is None:
        raise InvalidInput(f"Run {run.id} was imported and has no model; take a run that was trained here.")
    weights = run.weights()
    stem = Stem.of_weights(weights)
    shape = _sample_shape(run) if stem is None else stem.components.shape[:1]
    own = {name: value for name, value in weights.items() if not name.startswith("stem.")}
    return behind(stem, _network(run, run.config, shape, own)).eval()


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

"""What holds for every family: the layers it announces, and encoding and decoding."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import pytest
import torch

import nearid_core as nid
from nearid_core.datasets import DATASETS
from nearid_core.models import FAMILIES
from nearid_core.models.architecture import ARCHITECTURES

IMAGE = (3, 16, 16)
VECTOR = (10,)
LATENT = 4


def configured(family: str, **settings: object) -> nid.TrainConfig:
    small = {"latent_dim": LATENT, "hidden": (12, 8), "fc": 16, "channels": (4, 6)}
    known = {option.name for option in nid.TrainConfig.settings("cells", family)}
    return nid.TrainConfig.from_settings(
        "cells", family, {name: value for name, value in small.items() if name in known} | settings
    )


def built(config: nid.TrainConfig, shape: tuple[int, ...]) -> Any:
    torch.manual_seed(0)
    return FAMILIES[config.family].build(config, shape).eval()


def every_kind() -> list[tuple[nid.TrainConfig, tuple[int, ...]]]:
    """Each family with each of its architectures, on samples that suit it."""
    kinds = []
    for family in FAMILIES:
        choice = next((option for option in family.options if option.name == "architecture"), None)
        kinds += [(configured(family.name), VECTOR), (configured(family.name), IMAGE)]
        if choice is not None:
            others = [name for name in ARCHITECTURES.names() if name != choice.default]
            kinds += [(configured(family.name, architecture=name), IMAGE) for name in others]
    return kinds


KINDS = every_kind()
kinds = pytest.mark.parametrize(("config", "shape"), KINDS, ids=[f"{one.title}-{len(shape)}d" for one, shape in KINDS])


@kinds
def test_layers_are_those_that_the_family_announces_one_row_a_sample(
    config: nid.TrainConfig, shape: tuple[int, ...]
) -> None:
    layers = built(config, shape).layers(torch.rand(5, prod(shape)))
    assert list(layers) == FAMILIES[config.family].layer_names(config, shape)
    assert all(layer.ndim == 2 and len(layer) == 5 for layer in layers.values())
    assert layers["latent"].shape[1] == LATENT
    assert layers["output"].shape[1] == prod(shape)


@kinds
def test_the_output_is_the_decoded_latent(config: nid.TrainConfig, shape: tuple[int, ...]) -> None:
    model, inputs = built(config, shape), torch.rand(5, prod(shape))
    layers = model.layers(inputs)
    torch.testing.assert_close(model.encode(inputs), layers["latent"])
    torch.testing.assert_close(model.decode(layers["latent"]), layers["output"])
    torch.testing.assert_close(model(inputs), layers["output"])


@kinds
def test_the_loss_is_a_function_of_weights_samples_and_noise(config: nid.TrainConfig, shape: tuple[int, ...]) -> None:
    model, inputs = built(config, shape), torch.rand(6, prod(shape))
    noise = {name: torch.from_numpy(value) for name, value in model.noise(6, np.random.default_rng(0)).items()}
    assert all(len(value) == 6 and value.dtype == torch.float32 for value in noise.values())
    before = torch.get_rng_state()
    assert torch.equal(model.loss(inputs, noise), model.loss(inputs, noise))
    assert torch.equal(torch.get_rng_state(), before), "it draws nothing of its own"
    other = {name: torch.from_numpy(value) for name, value in model.noise(6, np.random.default_rng(1)).items()}
    assert (model.loss(inputs, noise) != model.loss(inputs, other)) == bool(noise)


@kinds
def test_every_weight_has_a_gradient(config: nid.TrainConfig, shape: tuple[int, ...]) -> None:
    model = built(config, shape)
    noise = {name: torch.from_numpy(value) for name, value in model.noise(32, np.random.default_rng(0)).items()}
    model.loss(torch.rand(32, prod(shape)), noise).backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().max() > 0, name


@kinds
def test_a_mean_loss_is_the_mean_of_the_losses_unless_it_says_otherwise(
    config: nid.TrainConfig, shape: tuple[int, ...]
) -> None:
    model, inputs = built(config, shape).double(), torch.rand(8, prod(shape), dtype=torch.float64)
    noise = {name: torch.from_numpy(value) for name, value in model.noise(8, np.random.default_rng(0)).items()}
    parts = [
        model.loss(inputs[rows], {name: value[rows] for name, value in noise.items()})
        for rows in (slice(0, 4), slice(4, 8))
    ]
    mean, whole = torch.stack(parts).mean().item(), model.loss(inputs, noise).item()
    assert (mean == pytest.approx(whole, rel=1e-9)) != model.couples_samples


@kinds
def test_building_does_not_depend_on_anything_but_torchs_random_state(
    config: nid.TrainConfig, shape: tuple[int, ...]
) -> None:
    one, other = built(config, shape), built(config, shape)
    for first, second in zip(one.parameters(), other.parameters(), strict=True):
        assert torch.equal(first, second)


@pytest.mark.parametrize("family", FAMILIES.names())
def test_settings_have_names_of_their_own_and_say_what_follows(family: str) -> None:
    for dataset in DATASETS.names():
        names = [option.name for option in nid.TrainConfig.settings(dataset, family)]
        assert len(set(names)) == len(names), f"{dataset} has a setting of the same name"
    for option in FAMILIES[family].options:
        assert option.help.endswith("."), option.name
        assert option.default is None or option.check(option.default) == option.default

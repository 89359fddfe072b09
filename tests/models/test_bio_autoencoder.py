"""Latents that are never negative, and what activity and weights cost."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import nearid_core as nid
from nearid_core.models import BIO_AUTOENCODER
from nearid_core.models._autoencoder import squared_error


def built(**settings: object) -> Any:
    config = nid.TrainConfig.from_settings(
        "nonlinear_mixing", "bio_autoencoder", {"latent_dim": 5, "hidden": (12,), **settings}
    )
    torch.manual_seed(0)
    return BIO_AUTOENCODER.build(config, (16,))


def test_latents_are_never_negative() -> None:
    latent = built().encode(torch.randn(200, 16))
    assert (latent >= 0).all()
    assert (latent > 0).any(0).all(), "and none is silent from the start"


def test_the_price_of_activity_grows_with_its_square_and_is_averaged_over_samples() -> None:
    latent = torch.rand(8, 5, requires_grad=True)
    built(activity_energy=0.7, weight_energy=0).energy(latent).backward()
    torch.testing.assert_close(latent.grad, 2 * 0.7 * latent.detach() / 8)


def test_the_price_of_weights_pulls_each_matrix_to_zero_and_no_bias() -> None:
    model = built(activity_energy=0, weight_energy=0.2)
    model.energy(torch.zeros(1, 5)).backward()
    for name, parameter in model.named_parameters():
        if name.endswith("weight"):
            torch.testing.assert_close(parameter.grad, 2 * 0.2 * parameter.detach())
        else:
            assert parameter.grad is None, name


def test_without_prices_only_the_error_is_left() -> None:
    model, inputs = built(activity_energy=0, weight_energy=0), torch.rand(9, 16)
    assert model.loss(inputs, {}).item() == pytest.approx(squared_error(model(inputs), inputs).item())


def test_convolutions_have_a_price_too() -> None:
    config = nid.TrainConfig.from_settings(
        "digits", "bio_autoencoder", {"architecture": "conv", "channels": (4,), "fc": 8}
    )
    model: Any = BIO_AUTOENCODER.build(config, (1, 8, 8))
    squares = sum(value.square().sum() for name, value in model.named_parameters() if name.endswith("weight"))
    torch.testing.assert_close(model.energy(torch.zeros(1, 6)), 1e-3 * squares)

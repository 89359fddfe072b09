"""Latents that take few values each."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

import nearid_core as nid
from nearid_core.models import QUANTIZED_AUTOENCODER
from nearid_core.models._quantized_autoencoder import straight_through


def configured(**settings: object) -> nid.TrainConfig:
    return nid.TrainConfig.from_settings(
        "nonlinear_mixing", "quantized_autoencoder", {"latent_dim": 3, "hidden": (12,), "values": 4, **settings}
    )


def built(**settings: object) -> Any:
    torch.manual_seed(0)
    model: Any = QUANTIZED_AUTOENCODER.build(configured(**settings), (16,))
    torch.nn.init.normal_(model.codebook)  # another for each latent, in no order
    return model


def test_each_latent_takes_the_nearest_value_of_its_own_codebook() -> None:
    model = built()
    continuous = torch.randn(100, 3)
    quantized = model.quantize(continuous)
    for latent, values in enumerate(model.codebook.detach().reshape(3, 4)):
        distances = (continuous[:, latent, None] - values).abs()
        assert torch.equal(quantized[:, latent], values[distances.argmin(1)])


def test_layers_show_what_was_quantised_and_what_came_of_it() -> None:
    model, inputs = built(), torch.rand(6, 16)
    layers = model.layers(inputs)
    assert list(layers)[1:3] == ["latent_continuous", "latent"]
    torch.testing.assert_close(layers["latent_continuous"], model.encoder(inputs))
    assert torch.equal(layers["latent"], model.quantize(layers["latent_continuous"]))


def test_the_gradient_goes_straight_through() -> None:
    continuous = torch.randn(7, 3, requires_grad=True)
    quantized = torch.randn(7, 3)
    through = straight_through(continuous, quantized)
    torch.testing.assert_close(through, quantized)
    slope = torch.randn(7, 3)
    (through * slope).sum().backward()
    assert torch.equal(continuous.grad, slope)  # type: ignore[arg-type]


def test_quantisation_moves_the_codebook_and_commitment_the_encoder() -> None:
    inputs = torch.rand(32, 16)

    def gradients(**weights: float) -> tuple[torch.Tensor, torch.Tensor]:
        model = built(**weights)
        model.loss(inputs, {}).backward()
        return model.codebook.grad, model.encoder[0].weight.grad

    neither, quantization, commitment = (
        gradients(quantization=one, commitment=other) for one, other in ((0, 0), (0.5, 0), (0, 0.5))
    )
    assert neither[0].abs().max() == 0
    assert quantization[0].abs().max() > 0
    torch.testing.assert_close(quantization[1], neither[1])
    assert commitment[0].abs().max() == 0
    assert not torch.allclose(commitment[1], neither[1])


def test_the_codebook_moves_to_the_mean_of_what_it_stands_for() -> None:
    model = built(quantization=1.0, commitment=0.0)
    continuous = model.encoder(torch.rand(64, 16)).detach()
    quantized = model.quantize(continuous)
    (quantized - continuous).square().sum(1).mean().backward()
    for latent, values in enumerate(model.codebook.detach().reshape(3, 4)):
        for position, value in enumerate(values):
            mine = continuous[:, latent][quantized[:, latent] == value]
            expected = 2 * (value - mine).sum() / 64
            torch.testing.assert_close(model.codebook.grad.reshape(3, 4)[latent, position], expected)


def test_weight_decay_is_on_unless_it_is_set() -> None:
    assert configured().weight_decay == 0.1
    assert configured(weight_decay=0).weight_decay == 0
    assert "weight decay" not in configured().title
    assert "weight decay 0" in configured(weight_decay=0).title


def test_a_trained_run_has_few_values_a_latent_and_a_codebook_that_did_not_decay(tmp_path: Any) -> None:
    config = configured(n=256, epochs=30, batch_size=32, weight_decay=30, learning_rate=0.01)
    run = nid.train(config, [0, 1], nid.RunStore(tmp_path))[1]
    codebook = run.weights()["codebook"].reshape(3, 4)
    for values, column in zip(codebook, run.representation("latent").values.T, strict=True):
        assert set(np.unique(column)) <= set(values)
    assert np.abs(codebook).max() > 0.2
    assert np.abs(run.weights()["decoder.0.weight"]).max() < 0.2, "which the decoder did"

"""Convolutional bodies: shapes, what is exposed of them, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import nearid_core as nid
from nearid_core.models import AUTOENCODER


def configured(**settings: object) -> nid.TrainConfig:
    return nid.TrainConfig.from_settings("cells", "autoencoder", {"architecture": "conv", "latent_dim": 5, **settings})


def built(shape: tuple[int, int, int], **settings: object) -> Any:
    torch.manual_seed(0)
    return AUTOENCODER.build(configured(**settings), shape)


@pytest.mark.parametrize(("side", "widths"), [(8, [32]), (16, [32, 64]), (32, [32, 64, 64]), (64, [32, 64, 64, 64])])
def test_by_default_convolutions_go_down_to_four_pixels(side: int, widths: list[int]) -> None:
    shape = (3, side, side)
    AUTOENCODER.check(configured(), shape)
    model = built(shape)
    layers = model.layers(torch.rand(2, 3 * side * side))
    assert list(layers) == AUTOENCODER.layer_names(configured(), shape)
    assert [layer.shape[1] for layer in layers.values()] == [*widths, 256, 5, 256, *reversed(widths), 3 * side * side]
    *_, smallest, _, _ = model.encoder.outputs(torch.rand(2, 3 * side * side))
    assert smallest.shape[2:] == (4, 4)


def test_a_hidden_image_is_exposed_as_its_mean_over_space() -> None:
    model, inputs = built((1, 16, 16), channels=(6, 4)), torch.rand(3, 256)
    layers = model.layers(inputs)
    for body, prefix, given in ((model.encoder, "encoder", inputs), (model.decoder, "decoder", layers["latent"])):
        for number, hidden in enumerate(body.outputs(given)[:-1], 1):
            expected = hidden.flatten(2).mean(-1) if hidden.ndim == 4 else hidden
            torch.testing.assert_close(layers[f"{prefix}_{number}"], expected)


def test_a_flat_sample_is_read_as_channels_of_rows() -> None:
    """Moving the image by two pixels moves the first feature maps by one, away from the border."""
    model = built((2, 16, 16))
    image = torch.zeros(1, 2, 16, 16)
    image[:, :, 4:9, 5:8] = torch.rand(1, 2, 5, 3)
    moved = image.roll(2, dims=3)
    (one, *_), (other, *_) = (model.encoder.outputs(part.flatten(1)) for part in (image, moved))
    torch.testing.assert_close(other[..., 2:-1], one.roll(1, dims=3)[..., 2:-1])


def test_the_decoders_slope_is_that_of_the_configuration() -> None:
    linear = built((1, 8, 8), negative_slope=1.0).decode
    one, other = torch.randn(2, 4, 5)
    torch.testing.assert_close(linear(one) + linear(other), linear(one + other) + linear(torch.zeros(4, 5)))
    bent = built((1, 8, 8), negative_slope=0.2).decode
    assert not torch.allclose(bent(one) + bent(other), bent(one + other) + bent(torch.zeros(4, 5)), atol=1e-3)


def test_initialisation_keeps_the_mean_square_of_what_goes_through() -> None:
    model = built((3, 32, 32), latent_dim=64, negative_slope=0.2)
    inputs = torch.randn(64, 3 * 32 * 32)
    assert model.encode(inputs).square().mean().item() == pytest.approx(1, rel=0.5)
    *_, last_hidden, output = model.decoder.outputs(torch.randn(64, 64))
    assert last_hidden.square().mean().item() == pytest.approx(1, rel=0.6)
    assert output.square().mean().sqrt().item() == pytest.approx(0.1, rel=0.6), "the output starts as small as pixels"


@pytest.mark.parametrize(
    ("shape", "settings", "sentence"),
    [
        ((64,), {}, "needs images; samples here are vectors of 64 numbers"),
        ((1, 28, 28), {}, "square images of 8, 16, 32 or 64 pixels a side; found 28 x 28"),
        ((1, 16, 32), {}, "found 16 x 32"),
        ((1, 8, 8), {"channels": (4, 4, 4)}, "channels has 3 entries, .* expected 2 at most"),
    ],
)
def test_samples_that_do_not_suit_are_refused_in_one_sentence(
    shape: tuple[int, ...], settings: dict[str, object], sentence: str
) -> None:
    with pytest.raises(nid.InvalidInput, match=sentence):
        AUTOENCODER.check(configured(**settings), shape)


def test_seeds_are_trained_one_after_the_other_and_learn_digits(tmp_path: Any) -> None:
    config = nid.TrainConfig.from_settings(
        "digits",
        "autoencoder",
        {
            "architecture": "conv",
            "channels": (8,),
            "fc": 32,
            "epochs": 20,
            "batch_size": 32,
            "learning_rate": 0.01,
            "n": 400,
        },
    )
    runs = nid.train(config, [0, 1], nid.RunStore(tmp_path))
    assert [run.plan["execution"] for run in runs] == ["loop", "loop"]
    for run in runs:
        assert run.history["loss"].iloc[-1] < 0.5 * run.history["loss"].iloc[0]
        assert run.layers[:4] == ["encoder_1", "encoder_2", "latent", "decoder_1"]
        assert run.representation("encoder_1").values.shape == (400, 8)
    assert not np.array_equal(runs[0].representation("latent").values, runs[1].representation("latent").values)

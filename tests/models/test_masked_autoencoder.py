"""What is hidden, how much of it, and what the loss asks for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import nearid_core as nid
from nearid_core.models import MASKED_AUTOENCODER


def configured(**settings: object) -> nid.TrainConfig:
    return nid.TrainConfig.from_settings(
        "digits", "masked_autoencoder_mlp", {"latent_dim": 3, "hidden": (12,), **settings}
    )


def built(shape: tuple[int, ...], **settings: object) -> Any:
    torch.manual_seed(0)
    return MASKED_AUTOENCODER.build(configured(**settings), shape)


def hidden(model: Any, samples: int, seed: int = 0) -> np.ndarray:
    return model.noise(samples, np.random.default_rng(seed))["hidden"]


@settings(max_examples=30, deadline=None)
@given(share=st.floats(0.01, 0.99), features=st.integers(2, 40))
def test_each_sample_has_the_share_hidden_that_was_asked_for(share: float, features: int) -> None:
    counts = hidden(built((features,), masked=share), 20).sum(1)
    assert len(set(counts)) == 1
    assert 1 <= counts[0] <= features - 1
    assert abs(counts[0] - share * features) <= 1


def test_every_feature_is_hidden_as_often_as_any_other() -> None:
    frequency = hidden(built((20,), masked=0.25), 20_000).mean(0)
    np.testing.assert_allclose(frequency, 0.25, atol=0.02)


def test_an_image_is_hidden_in_whole_squares_through_all_channels() -> None:
    mask = hidden(built((3, 16, 16), patch=4, masked=0.5), 50).reshape(50, 3, 16, 16)
    assert (mask == mask[:, :1]).all()
    squares = mask[:, 0].reshape(50, 4, 4, 4, 4).swapaxes(2, 3).reshape(50, 16, 16)
    assert (squares == squares[..., :1]).all()
    assert (squares[..., 0].sum(1) == 8).all()
    assert len(np.unique(squares[..., 0], axis=0)) > 40


def test_by_default_an_image_has_sixteen_squares() -> None:
    for side in (8, 28, 64):
        assert built((1, side, side)).n_patches == 16


def test_what_is_hidden_is_not_seen_and_what_is_seen_is_not_asked_for() -> None:
    model, inputs = built((10,)), torch.rand(16, 10)
    noise = {"hidden": torch.from_numpy(hidden(model, 16))}
    asked = inputs.clone().requires_grad_()
    model.loss(asked, noise).backward()
    output = model((inputs * (1 - noise["hidden"]) / 0.5).detach()).detach()
    only_as_target = -2 * (output - inputs) / 16 / 0.5
    assert asked.grad is not None
    shown = noise["hidden"] == 1
    torch.testing.assert_close(asked.grad[shown], only_as_target[shown])
    expected = ((output - inputs).square() * noise["hidden"]).sum() / 16 / 0.5
    assert model.loss(inputs, noise).item() == pytest.approx(expected.item(), rel=1e-5)


def test_the_first_layer_expects_as_much_from_a_part_as_from_the_whole() -> None:
    model, inputs = built((30,), masked=0.7), torch.rand(1, 30)
    mask = torch.from_numpy(hidden(model, 20_000))
    torch.testing.assert_close((inputs * (1 - mask) / 0.3).mean(0), inputs[0], atol=0.05, rtol=0)


def test_layers_are_those_of_whole_samples() -> None:
    model, inputs = built((10,)), torch.rand(4, 10)
    torch.testing.assert_close(model.layers(inputs)["latent"], model.encoder(inputs))


@pytest.mark.parametrize(
    ("shape", "settings_", "sentence"),
    [
        ((1, 8, 8), {"patch": 3}, "patch is 3 and the images are 8 x 8; expected a divisor of both sides"),
        ((1, 8, 8), {"patch": 8}, "nothing is left to see"),
        ((1,), {}, "nothing is left to see"),
    ],
)
def test_patches_that_do_not_fit_are_refused(
    shape: tuple[int, ...], settings_: dict[str, object], sentence: str
) -> None:
    with pytest.raises(nid.InvalidInput, match=sentence):
        MASKED_AUTOENCODER.check(configured(**settings_), shape)

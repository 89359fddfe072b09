"""The autoencoder family: layers by name, loss, and the orthonormal decoder's promises."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import nearid_core as nid
from nearid_core.models import AUTOENCODER
from nearid_core.models._autoencoder import AutoencoderNetwork
from nearid_core.models._mlp import retract

FEATURES = 16


def configured(**settings: object) -> nid.TrainConfig:
    return nid.TrainConfig.from_settings(
        "nonlinear_mixing", "autoencoder", {"latent_dim": 3, "hidden": (12, 8), **settings}
    )


def built(**settings: object) -> AutoencoderNetwork:
    torch.manual_seed(0)
    model = AUTOENCODER.build(configured(**settings), (FEATURES,))
    assert isinstance(model, AutoencoderNetwork)
    return model


def test_layers_are_those_that_the_family_announces_from_input_to_output() -> None:
    layers = built().layers(torch.rand(5, FEATURES))
    assert list(layers) == AUTOENCODER.layer_names(configured(), (FEATURES,))
    assert {name: layer.shape[1] for name, layer in layers.items()} == {
        "encoder_1": 12,
        "encoder_2": 8,
        "latent": 3,
        "decoder_1": 8,
        "decoder_2": 12,
        "output": FEATURES,
    }


def test_the_output_is_the_decoded_latent() -> None:
    model, inputs = built(), torch.rand(5, FEATURES)
    layers = model.layers(inputs)
    torch.testing.assert_close(model.encode(inputs), layers["latent"])
    torch.testing.assert_close(model.decode(layers["latent"]), layers["output"])
    torch.testing.assert_close(model(inputs), layers["output"])


def test_a_decoder_may_have_widths_of_its_own() -> None:
    assert AUTOENCODER.layer_names(configured(decoder_hidden=(20,)), (FEATURES,))[2:] == [
        "latent",
        "decoder_1",
        "output",
    ]
    assert built(decoder_hidden=(20,)).layers(torch.rand(2, FEATURES))["decoder_1"].shape == (2, 20)


def test_loss_is_the_squared_error_summed_over_features_and_averaged_over_samples() -> None:
    model, inputs = built(), torch.rand(5, FEATURES)
    error = (model(inputs) - inputs).detach().numpy()
    assert model.loss(inputs, {}).item() == pytest.approx(np.square(error).sum(1).mean(), rel=1e-6)


def test_r2_is_one_for_a_perfect_output_and_zero_for_the_mean() -> None:
    features = np.random.default_rng(0).random((50, 4), dtype=np.float32)
    mean = np.broadcast_to(features.mean(0), features.shape)
    assert AUTOENCODER.metrics(features, {"output": features}) == {"r2": 1.0}
    assert AUTOENCODER.metrics(features, {"output": mean})["r2"] == pytest.approx(0, abs=1e-6)
    constant = np.ones((50, 4), dtype=np.float32)
    assert AUTOENCODER.metrics(constant, {"output": features}) == {}, "there is no variance to explain"


def test_an_orthonormal_decoder_starts_with_orthonormal_columns() -> None:
    for layer in built(decoder="orthonormal").decoder:
        weight = layer.weight.detach()
        torch.testing.assert_close(weight.T @ weight, torch.eye(weight.shape[1]), atol=1e-5, rtol=0)


def test_a_linear_orthonormal_decoder_keeps_every_distance() -> None:
    latent = torch.randn(50, 3)
    decoded = built(decoder="orthonormal", negative_slope=1.0).decode(latent)
    torch.testing.assert_close(torch.pdist(decoded), torch.pdist(latent), atol=1e-4, rtol=1e-4)


def test_an_orthonormal_decoder_distorts_by_the_slope_a_layer_and_no_more() -> None:
    one, other = torch.randn(2, 400, 3)
    model = built(decoder="orthonormal", negative_slope=0.3)
    stretch = (model.decode(one) - model.decode(other)).norm(dim=1) / (one - other).norm(dim=1)
    assert stretch.max() <= 1 + 1e-5
    assert stretch.min() >= 0.3**2 - 1e-5
    assert stretch.min() < 0.9


def test_retraction_finds_the_nearest_orthonormal_matrix_for_every_model_of_a_stack() -> None:
    torch.manual_seed(0)
    near = torch.linalg.qr(torch.randn(4, 9, 5))[0] + 0.05 * torch.randn(4, 9, 5)
    left, _, right = torch.linalg.svd(near, full_matrices=False)
    torch.testing.assert_close(retract(near, 8), left @ right, atol=1e-5, rtol=0)


def test_after_step_retracts_decoder_weights_and_nothing_else() -> None:
    model = built(decoder="orthonormal")
    stacked = {
        name: 1.1 * value.detach()[None].repeat(2, *[1] * value.ndim) for name, value in model.named_parameters()
    }
    before = {name: value.clone() for name, value in stacked.items()}
    model.after_step(stacked, step=3, last=False)
    assert all(torch.equal(stacked[name], before[name]) for name in stacked), "not every step"
    model.after_step(stacked, step=4, last=True)
    changed = {name for name in stacked if not torch.equal(stacked[name], before[name])}
    assert changed == {f"decoder.{number}.weight" for number in range(3)}
    torch.testing.assert_close(stacked["decoder.1.weight"][1], model.decoder[1].weight.detach(), atol=1e-5, rtol=0)


def test_mirrored_widths_of_an_orthonormal_decoder_are_clipped_so_as_not_to_decrease() -> None:
    model = built(hidden=(40, 8, 12), decoder="orthonormal", latent_dim=10)
    assert [layer.weight.shape[0] for layer in model.decoder] == [12, 12, 16, 16]


@pytest.mark.parametrize(
    ("settings", "widths"),
    [({"decoder_hidden": (32,)}, "3 -> 32 -> 16"), ({"latent_dim": 20}, "20 -> 20 -> 20 -> 16")],
)
def test_decreasing_widths_are_refused_by_naming_them(settings: dict[str, object], widths: str) -> None:
    with pytest.raises(nid.InvalidInput, match=f"found {widths}. Change latent_dim or decoder_hidden"):
        AUTOENCODER.check(configured(decoder="orthonormal", **settings), (FEATURES,))
    AUTOENCODER.check(configured(**settings), (FEATURES,))  # a free decoder may have them


def test_building_does_not_depend_on_anything_but_torchs_random_state() -> None:
    one, other = built(), built()
    for first, second in zip(one.parameters(), other.parameters(), strict=True):
        assert torch.equal(first, second)

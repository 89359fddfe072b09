"""Autoencoders of fully connected layers."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nearid_core.errors import InvalidInput
from nearid_core.models.family import FAMILIES
from nearid_core.options import Option

if TYPE_CHECKING:
    import torch

    from nearid_core.training.config import TrainConfig


@dataclass(frozen=True)
class Autoencoder:
    """Squeezes a sample through the latent layer and rebuilds it.

    Layers, in order: ``encoder_1`` ..., ``latent``, ``decoder_1`` ..., ``output``.
    """

    name: str = "autoencoder"
    description: str = "MLP autoencoder: SiLU encoder, LeakyReLU decoder, squared error"
    options: tuple[Option, ...] = (
        Option("hidden", (128, 128), tuple, "Widths of the encoder's hidden layers, from input to latent.", 1, 8192),
        Option(
            "decoder",
            "free",
            str,
            "orthonormal holds every decoder matrix to orthonormal columns, so that only the slope distorts distances.",
            choices=("free", "orthonormal"),
        ),
        Option(
            "decoder_hidden",
            None,
            tuple,
            "Widths of the decoder's hidden layers, from latent to output. Empty: the encoder's, mirrored.",
            1,
            8192,
            optional=True,
        ),
    )

    def layer_names(self, config: TrainConfig) -> list[str]:
        encoder = len(config.options["hidden"])
        decoder = len(config.options["decoder_hidden"] or config.options["hidden"])
        return [
            *(f"encoder_{number}" for number in range(1, encoder + 1)),
            "latent",
            *(f"decoder_{number}" for number in range(1, decoder + 1)),
            "output",
        ]

    def check(self, config: TrainConfig, n_features: int) -> None:
        widths = decoder_widths(config, n_features)
        decreasing = any(after < before for before, after in itertools.pairwise(widths))
        if config.options["decoder"] == "orthonormal" and decreasing:
            raise InvalidInput(
                f"An orthonormal decoder needs widths that do not decrease from latent to output; found "
                f"{' -> '.join(map(str, widths))}. Change latent_dim or decoder_hidden, or use decoder=free."
            )

    def build(self, config: TrainConfig, n_features: int) -> torch.nn.Module:
        from nearid_core.models._mlp_autoencoder import MLPAutoencoder

        return MLPAutoencoder(
            encoder_widths=(n_features, *config.options["hidden"], config.latent_dim),
            decoder_widths=decoder_widths(config, n_features),
            negative_slope=config.negative_slope,
            orthonormal=config.options["decoder"] == "orthonormal",
        )

    def metrics(self, features: np.ndarray, layers: Mapping[str, np.ndarray]) -> dict[str, float]:
        """``r2``: the share of the features' variance that the output explains, pooled over features."""
        exact = features.astype(np.float64)
        unexplained = np.square(exact - layers["output"]).sum()
        total = np.square(exact - exact.mean(0)).sum()
        return {"r2": float(1 - unexplained / total)} if total > 0 else {}


def decoder_widths(config: TrainConfig, n_features: int) -> tuple[int, ...]:
    """Widths from latent to output. An orthonormal decoder's mirrored widths are clipped so as not to decrease."""
    hidden = config.options["decoder_hidden"]
    if hidden is None:
        hidden = config.options["hidden"][::-1]
        if config.options["decoder"] == "orthonormal":
            hidden = itertools.accumulate((min(width, n_features) for width in hidden), max, initial=config.latent_dim)
            _, *hidden = hidden
    return (config.latent_dim, *hidden, n_features)


AUTOENCODER = FAMILIES.register(Autoencoder())

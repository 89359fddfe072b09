"""Autoencoders with the constraints of neurons (Whittington et al., ICLR 2023)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nearid_core.models.encoder_decoder import EncoderDecoder
from nearid_core.models.family import FAMILIES
from nearid_core.options import Option


def network() -> Callable[..., Any]:
    from nearid_core.models._bio_autoencoder import BioAutoencoder

    return BioAutoencoder


BIO_AUTOENCODER = FAMILIES.register(
    EncoderDecoder(
        "bio_autoencoder",
        "autoencoder of neurons: latents are never negative, and activity and weights cost energy",
        network,
        own=(
            Option(
                "activity_energy",
                0.02,
                float,
                "Weight of the squared latents, summed over them; with non-negativity it gives each factor its own "
                "latents, too much of it silences them.",
                0.0,
                1e6,
            ),
            Option(
                "weight_energy",
                1e-3,
                float,
                "Weight of all squared weights; without it, small latents and large weights would evade the price of "
                "activity.",
                0.0,
                1e6,
            ),
        ),
    )
)

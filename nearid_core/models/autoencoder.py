"""Plain autoencoders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nearid_core.models.encoder_decoder import EncoderDecoder
from nearid_core.models.family import FAMILIES


def network() -> Callable[..., Any]:
    from nearid_core.models._autoencoder import AutoencoderNetwork

    return AutoencoderNetwork


AUTOENCODER = FAMILIES.register(
    EncoderDecoder("autoencoder", "autoencoder: squared error and nothing else, its latent is free", network)
)

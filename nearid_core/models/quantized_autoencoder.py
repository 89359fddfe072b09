"""Autoencoders with quantised latents (Hsu et al. 2023)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nearid_core.models.encoder_decoder import EncoderDecoder
from nearid_core.models.family import FAMILIES
from nearid_core.options import Option


def network() -> Callable[..., Any]:
    from nearid_core.models._quantized_autoencoder import QuantizedAutoencoder

    return QuantizedAutoencoder


QUANTIZED_AUTOENCODER = FAMILIES.register(
    EncoderDecoder(
        "quantized_autoencoder",
        "autoencoder whose latents take few values each, with weight decay 0.1 unless another is set; "
        "latent_continuous is what was quantised",
        network,
        own=(
            Option(
                "values",
                10,
                int,
                "Values that each latent can take; fewer of them make it reuse one value for one meaning, and the "
                "output coarser.",
                2,
                256,
            ),
            Option("quantization", 0.1, float, "Weight of what pulls the values to the latents.", 0.0, 1e6),
            Option(
                "commitment",
                0.1,
                float,
                "Weight of what pulls the latents to their values; with too little of it they drift away.",
                0.0,
                1e6,
            ),
        ),
        before_latent=("latent_continuous",),
        weight_decay=0.1,  # the other half of their method: without it the decoder tells any code apart
    )
)

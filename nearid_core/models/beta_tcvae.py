"""Variational autoencoders with a weight on total correlation (Chen et al. 2018)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from nearid_core.models.beta_vae import BETA, VARIANCE
from nearid_core.models.encoder_decoder import EncoderDecoder
from nearid_core.models.family import FAMILIES


def network() -> Callable[..., Any]:
    from nearid_core.models._beta_tcvae import BetaTCVAE

    return BetaTCVAE


BETA_TCVAE = FAMILIES.register(
    EncoderDecoder(
        "beta_tcvae",
        "variational autoencoder that penalises dependence between latents: beta weighs total correlation alone",
        network,
        own=(
            replace(
                BETA,
                default=6.0,
                help="Weight of the latents' total correlation, estimated within a batch; more of it makes them "
                "independent, 1 is a beta_vae of beta 1.",
            ),
            VARIANCE,
        ),
        code=2,
    )
)

"""Variational autoencoders with a weight on the prior (Higgins et al. 2017)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nearid_core.models.encoder_decoder import EncoderDecoder
from nearid_core.models.family import FAMILIES
from nearid_core.options import Option

BETA = Option(
    "beta",
    1.0,
    float,
    "Weight of the KL divergence from a standard Gaussian; more than 1 prunes latents and makes the output coarser, 0 "
    "leaves an autoencoder with noise in its latent.",
    0.0,
    1e6,
)
VARIANCE = Option(
    "variance",
    0.05,
    float,
    "Variance of each feature about the output; the larger it is, the less of the squared error outweighs the KL "
    "divergence. Somewhat below the variance of one feature is usual.",
    1e-6,
    1e6,
)


def network() -> Callable[..., Any]:
    from nearid_core.models._beta_vae import BetaVAE

    return BetaVAE


BETA_VAE = FAMILIES.register(
    EncoderDecoder(
        "beta_vae",
        "variational autoencoder with weight beta on the KL divergence; the latent is the posterior mean",
        network,
        own=(BETA, VARIANCE),
        code=2,
    )
)

"""Model families by name."""

from __future__ import annotations

from nearid_core.models.autoencoder import AUTOENCODER
from nearid_core.models.beta_tcvae import BETA_TCVAE
from nearid_core.models.beta_vae import BETA_VAE
from nearid_core.models.bio_autoencoder import BIO_AUTOENCODER
from nearid_core.models.family import FAMILIES, Family, Model
from nearid_core.models.masked_autoencoder import MASKED_AUTOENCODER
from nearid_core.models.quantized_autoencoder import QUANTIZED_AUTOENCODER

__all__ = [
    "AUTOENCODER",
    "BETA_TCVAE",
    "BETA_VAE",
    "BIO_AUTOENCODER",
    "FAMILIES",
    "MASKED_AUTOENCODER",
    "QUANTIZED_AUTOENCODER",
    "Family",
    "Model",
    "family_names",
]


def family_names() -> list[str]:
    """The names that ``TrainConfig(family=...)`` takes."""
    return FAMILIES.names()

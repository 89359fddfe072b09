"""Model families by name."""

from __future__ import annotations

from nearid_core.models.autoencoder import AUTOENCODER
from nearid_core.models.family import FAMILIES, Family, Model

__all__ = ["AUTOENCODER", "FAMILIES", "Family", "Model", "family_names"]


def family_names() -> list[str]:
    """The names that ``TrainConfig(family=...)`` takes."""
    return FAMILIES.names()

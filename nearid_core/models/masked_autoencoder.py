"""Masked autoencoders of fully connected layers (after He et al. 2022), with one latent for the whole sample."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nearid_core.errors import InvalidInput
from nearid_core.models.encoder_decoder import EncoderDecoder
from nearid_core.models.family import FAMILIES
from nearid_core.models.mlp import FULLY_CONNECTED
from nearid_core.options import Option

if TYPE_CHECKING:
    from nearid_core.training.config import TrainConfig

ACROSS = 4  # patches along a side, unless `patch` says otherwise


@dataclass(frozen=True)
class Masked(EncoderDecoder):
    """Hides square patches of images, and single features of everything else."""

    def check(self, config: TrainConfig, shape: tuple[int, ...]) -> None:
        super().check(config, shape)
        patch = patch_side(config, shape)
        if any(side % patch for side in shape[1:]):
            raise InvalidInput(
                f"patch is {patch} and the images are {shape[1]} x {shape[2]}; expected a divisor of both sides."
            )
        if patches_of(config, shape).max() == 0:
            raise InvalidInput("A sample is a single patch here, so nothing is left to see; use a smaller patch.")

    def arguments(self, config: TrainConfig, shape: tuple[int, ...]) -> dict[str, Any]:
        patches = patches_of(config, shape)
        count = int(patches.max()) + 1
        masked = min(max(round(config.options["masked"] * count), 1), count - 1)
        return {"patches": patches, "masked": masked}


def patch_side(config: TrainConfig, shape: tuple[int, ...]) -> int:
    """In pixels; 1 where samples are not images."""
    if len(shape) != 3:
        return 1
    return config.options["patch"] or max(1, min(shape[1:]) // ACROSS)


def patches_of(config: TrainConfig, shape: tuple[int, ...]) -> np.ndarray:
    """Which patch each feature is in, (features,) from 0; all channels of a pixel are in one."""
    if len(shape) != 3:
        return np.arange(shape[0])
    patch = patch_side(config, shape)
    rows, columns = (np.arange(side) // patch for side in shape[1:])
    image = rows[:, None] * (columns[-1] + 1) + columns
    return np.broadcast_to(image, shape).ravel()


def network() -> Callable[..., Any]:
    from nearid_core.models._masked_autoencoder import MaskedAutoencoder

    return MaskedAutoencoder


MASKED_AUTOENCODER = FAMILIES.register(
    Masked(
        "masked_autoencoder_mlp",
        "masked autoencoder of fully connected layers: guesses hidden patches, or features, through one latent",
        network,
        own=(
            Option(
                "masked",
                0.5,
                float,
                "Share of each sample that is hidden in training; more of it makes the latent tell what is common to "
                "all parts, and blurs the output.",
                0.01,
                0.99,
            ),
            Option(
                "patch",
                None,
                int,
                "Side of the hidden squares in pixels; smaller ones can be filled in from their surroundings. Empty: a "
                "quarter of the image. Without images, single features are hidden.",
                1,
                64,
                optional=True,
            ),
        ),
        architectures=(FULLY_CONNECTED.name,),
    )
)

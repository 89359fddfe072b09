"""Families that squeeze a sample through a latent layer and rebuild it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from nearid_core.models.architecture import ARCHITECTURES, Architecture
from nearid_core.models.conv import CONVOLUTIONAL
from nearid_core.models.mlp import FULLY_CONNECTED
from nearid_core.options import Option

if TYPE_CHECKING:
    import torch

    from nearid_core.training.config import TrainConfig

ALL = (FULLY_CONNECTED.name, CONVOLUTIONAL.name)


@dataclass(frozen=True)
class EncoderDecoder:
    """A family whose members differ from each other in what lies between encoder and decoder, and in the loss.

    Layers, in order: ``encoder_1`` ..., ``latent``, ``decoder_1`` ..., ``output``.

    network : gives the class of its networks, which is only loaded when one is built. It is made from an encoder, a
        decoder and the values of `own`.
    own : settings beside those of the bodies.
    architectures : names of the bodies it can have.
    code : numbers that the encoder gives for each latent.
    before_latent : layers exposed between encoder and latent.
    weight_decay : what is used where none is given.
    """

    name: str
    description: str
    network: Callable[[], Callable[..., Any]]
    own: tuple[Option, ...] = ()
    architectures: tuple[str, ...] = ALL
    code: int = 1
    before_latent: tuple[str, ...] = ()
    weight_decay: float = 0.0

    @cached_property
    def options(self) -> tuple[Option, ...]:
        of_bodies = [option for name in self.architectures for option in ARCHITECTURES[name].options]
        return (*self.own, *self._choice(), *of_bodies)

    def layer_names(self, config: TrainConfig, shape: tuple[int, ...]) -> list[str]:
        before, behind = self._architecture(config).hidden_layers(config, shape)
        return [
            *(f"encoder_{number}" for number in range(1, before + 1)),
            *self.before_latent,
            "latent",
            *(f"decoder_{number}" for number in range(1, behind + 1)),
            "output",
        ]

    def check(self, config: TrainConfig, shape: tuple[int, ...]) -> None:
        self._architecture(config).check(config, shape)

    def build(self, config: TrainConfig, shape: tuple[int, ...]) -> torch.nn.Module:
        architecture = self._architecture(config)
        return self.network()(
            architecture.encoder(config, shape, self.code * config.latent_dim),
            architecture.decoder(config, shape),
            **self.arguments(config, shape),
        )

    def arguments(self, config: TrainConfig, shape: tuple[int, ...]) -> dict[str, Any]:
        """What the network is made from beside encoder and decoder."""
        return {option.name: config.options[option.name] for option in self.own}

    def metrics(self, features: np.ndarray, layers: Mapping[str, np.ndarray]) -> dict[str, float]:
        """``r2``: the share of the features' variance that the output explains, pooled over features."""
        exact = features.astype(np.float64)
        unexplained = np.square(exact - layers["output"]).sum()
        total = np.square(exact - exact.mean(0)).sum()
        return {"r2": float(1 - unexplained / total)} if total > 0 else {}

    def _architecture(self, config: TrainConfig) -> Architecture:
        return ARCHITECTURES[config.options.get("architecture", self.architectures[0])]

    def _choice(self) -> tuple[Option, ...]:
        if len(self.architectures) == 1:
            return ()
        described = "; ".join(f"{name}: {ARCHITECTURES[name].description}" for name in self.architectures)
        return (
            Option(
                "architecture",
                self.architectures[0],
                str,
                f"What encoder and decoder are made of. {described}.",
                choices=self.architectures,
                introduced_later=True,
            ),
        )

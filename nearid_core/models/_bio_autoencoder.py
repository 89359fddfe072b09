"""The network of the ``bio_autoencoder`` family; apart from it because it needs torch."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from nearid_core.models._autoencoder import AutoencoderNetwork, squared_error
from nearid_core.models._body import Body


class BioAutoencoder(AutoencoderNetwork):
    """Latents are firing rates, so never negative, and firing and synapses cost energy."""

    def __init__(self, encoder: Body, decoder: Body, activity_energy: float, weight_energy: float) -> None:
        super().__init__(encoder, decoder)
        self.activity_energy = activity_energy
        self.weight_energy = weight_energy
        nn.init.ones_(encoder[-1].bias)  # type: ignore[arg-type]  # a latent that starts silent would stay so

    def latents(self, code: Tensor) -> dict[str, Tensor]:
        return {"latent": F.relu(code)}

    def loss(self, inputs: Tensor, noise: Mapping[str, Tensor]) -> Tensor:
        latent = self.encode(inputs)
        return squared_error(self.decode(latent), inputs) + self.energy(latent)

    def energy(self, latent: Tensor) -> Tensor:
        """Both penalties; latent : (batch, latent)."""
        weights = torch.stack([layer.weight.square().sum() for layer in (*self.encoder, *self.decoder)])
        return self.activity_energy * latent.square().sum(-1).mean() + self.weight_energy * weights.sum()

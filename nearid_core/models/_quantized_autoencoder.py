"""The network of the ``quantized_autoencoder`` family; apart from it because it needs torch."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from nearid_core.models._autoencoder import AutoencoderNetwork, squared_error
from nearid_core.models._body import Body


class QuantizedAutoencoder(AutoencoderNetwork):
    """Each latent takes one of a few values of its own, which are learnt."""

    def __init__(self, encoder: Body, decoder: Body, values: int, quantization: float, commitment: float) -> None:
        super().__init__(encoder, decoder)
        self.quantization = quantization
        self.commitment = commitment
        # Flat, (latent * values,), because vectors do not decay: a codebook that did would collapse.
        self.codebook = nn.Parameter(torch.linspace(-0.5, 0.5, values).repeat(self.latent_dim))

    def latents(self, code: Tensor) -> dict[str, Tensor]:
        return {"latent_continuous": code, "latent": self.quantize(code)}

    def quantize(self, continuous: Tensor) -> Tensor:
        """The nearest value of each latent's codebook, (batch, latent)."""
        values = self.codebook.unflatten(0, (self.latent_dim, -1)).expand(len(continuous), -1, -1)
        nearest = (continuous[..., None] - values).abs().argmin(-1, keepdim=True)
        return values.gather(-1, nearest).squeeze(-1)

    def loss(self, inputs: Tensor, noise: Mapping[str, Tensor]) -> Tensor:
        continuous = self.encoder(inputs)
        quantized = self.quantize(continuous)
        error = squared_error(self.decode(straight_through(continuous, quantized)), inputs)
        moves_codebook = squared_error(quantized, continuous.detach())
        moves_encoder = squared_error(continuous, quantized.detach())
        return error + self.quantization * moves_codebook + self.commitment * moves_encoder


def straight_through(continuous: Tensor, quantized: Tensor) -> Tensor:
    """The quantised values, with the gradient of the continuous ones (Bengio et al. 2013)."""
    return continuous + (quantized - continuous).detach()

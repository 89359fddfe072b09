"""The network of the ``beta_vae`` family; apart from it because it needs torch."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from torch import Tensor

from nearid_core.models._autoencoder import AutoencoderNetwork, squared_error
from nearid_core.models._body import Body


class BetaVAE(AutoencoderNetwork):
    """The encoder gives mean and log-variance of a Gaussian a latent; what is decoded in training is drawn from it.

    variance : of each feature about the output. The loss is the negative evidence bound times twice of it, so that the
        squared error has weight 1 as in every family.
    """

    def __init__(self, encoder: Body, decoder: Body, beta: float, variance: float) -> None:
        super().__init__(encoder, decoder)
        self.beta = beta
        self.variance = variance

    def posterior(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """Mean and log-variance, (batch, latent) each."""
        mean, log_variance = self.encoder(inputs).chunk(2, -1)
        return mean, log_variance

    def latents(self, code: Tensor) -> dict[str, Tensor]:
        mean, _ = code.chunk(2, -1)
        return {"latent": mean}

    def noise(self, samples: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
        return {"standard": rng.standard_normal((samples, self.latent_dim), dtype=np.float32)}

    def loss(self, inputs: Tensor, noise: Mapping[str, Tensor]) -> Tensor:
        mean, log_variance = self.posterior(inputs)
        drawn = mean + noise["standard"] * (0.5 * log_variance).exp()
        error = squared_error(self.decode(drawn), inputs)
        return error + 2 * self.variance * self.divergence(drawn, mean, log_variance)

    def divergence(self, drawn: Tensor, mean: Tensor, log_variance: Tensor) -> Tensor:
        """From the prior, in nats, weighed; drawn : latents from the Gaussians, (batch, latent)."""
        return self.beta * kl_from_standard(mean, log_variance)


def kl_from_standard(mean: Tensor, log_variance: Tensor) -> Tensor:
    """KL divergence of the Gaussians from the standard one, summed over latents, mean over the batch; in nats."""
    return 0.5 * (mean.square() + log_variance.exp() - 1 - log_variance).sum(-1).mean()

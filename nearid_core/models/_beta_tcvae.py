"""The network of the ``beta_tcvae`` family; apart from it because it needs torch."""

from __future__ import annotations

import math
from typing import ClassVar, NamedTuple

import torch
from torch import Tensor

from nearid_core.models._beta_vae import BetaVAE


class BetaTCVAE(BetaVAE):
    """A BetaVAE that weighs the total correlation of its latents alone."""

    couples_samples: ClassVar[bool] = True  # the total correlation is estimated from the batch

    def divergence(self, drawn: Tensor, mean: Tensor, log_variance: Tensor) -> Tensor:
        parts = decompose(drawn, mean, log_variance)
        return parts.mutual_information + self.beta * parts.total_correlation + parts.dimension_wise_kl


class Decomposition(NamedTuple):
    """The KL divergence in three, mean over the batch; in nats."""

    mutual_information: Tensor
    total_correlation: Tensor
    dimension_wise_kl: Tensor


def decompose(drawn: Tensor, mean: Tensor, log_variance: Tensor) -> Decomposition:
    """Chen et al. (2018), equation 2, by minibatch-weighted sampling: q(z) is the mixture of the batch's Gaussians.

    drawn, mean, log_variance : (batch, latent). The size of the dataset, by which the paper divides q(z), is a
    constant without a gradient; it is left out, so that a loss does not depend on it.
    """
    given_sample = _log_density(drawn, mean, log_variance).sum(-1)
    pairs = _log_density(drawn[:, None], mean, log_variance)  # (drawn, Gaussian, latent)
    aggregate = pairs.sum(-1).logsumexp(1) - math.log(len(mean))
    marginals = (pairs.logsumexp(1) - math.log(len(mean))).sum(-1)
    prior = _log_density(drawn, torch.zeros_like(drawn), torch.zeros_like(drawn)).sum(-1)
    return Decomposition((given_sample - aggregate).mean(), (aggregate - marginals).mean(), (marginals - prior).mean())


def _log_density(values: Tensor, mean: Tensor, log_variance: Tensor) -> Tensor:
    return -0.5 * ((values - mean).square() * (-log_variance).exp() + log_variance + math.log(2 * math.pi))

"""The two variational families: their terms against closed forms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from torch.distributions import Normal, kl_divergence

import nearid_core as nid
from nearid_core.models import FAMILIES
from nearid_core.models._autoencoder import squared_error
from nearid_core.models._beta_tcvae import decompose
from nearid_core.models._beta_vae import kl_from_standard

FEATURES = 16


def built(family: str, **settings: object) -> Any:
    config = nid.TrainConfig.from_settings("nonlinear_mixing", family, {"latent_dim": 3, "hidden": (12,), **settings})
    torch.manual_seed(0)
    return FAMILIES[family].build(config, (FEATURES,)).double()


def drawn_noise(model: Any, samples: int) -> dict[str, torch.Tensor]:
    drawn = model.noise(samples, np.random.default_rng(0))
    return {name: torch.from_numpy(value).double() for name, value in drawn.items()}


def test_the_kl_is_that_of_gaussians() -> None:
    mean, log_variance = torch.randn(2, 20, 4, dtype=torch.float64)
    expected = kl_divergence(Normal(mean, (log_variance / 2).exp()), Normal(0.0, 1.0)).sum(1).mean()
    torch.testing.assert_close(kl_from_standard(mean, log_variance), expected)
    assert kl_from_standard(torch.zeros(5, 4), torch.zeros(5, 4)) == 0


def test_the_loss_is_error_plus_weighted_kl_and_at_beta_0_a_noisy_autoencoder() -> None:
    inputs = torch.rand(32, FEATURES, dtype=torch.float64)
    for beta in (0.0, 3.0):
        model = built("beta_vae", beta=beta, variance=0.2)
        noise = drawn_noise(model, 32)
        mean, log_variance = model.encoder(inputs).chunk(2, 1)
        noisy = squared_error(model.decode(mean + (log_variance / 2).exp() * noise["standard"]), inputs)
        expected = noisy + 2 * 0.2 * beta * kl_from_standard(mean, log_variance)
        torch.testing.assert_close(model.loss(inputs, noise), expected)


def test_minus_the_loss_at_beta_1_bounds_the_evidence_of_a_linear_gaussian_model() -> None:
    """With p(x|z) = N(Wz, 1/2), it is the ELBO but for a constant, and the exact posterior attains log p(x)."""
    model = built("beta_vae", beta=1.0, variance=0.5, negative_slope=1.0)
    origin = torch.zeros(1, 3, dtype=torch.float64)
    offset = model.decode(origin)
    weight = (model.decode(torch.eye(3, dtype=torch.float64)) - offset).T
    inputs = torch.rand(200, FEATURES, dtype=torch.float64)
    covariance = weight @ weight.T + 0.5 * torch.eye(FEATURES, dtype=torch.float64)
    evidence = torch.distributions.MultivariateNormal(offset[0], covariance).log_prob(inputs).mean()
    elbo = -model.loss(inputs, drawn_noise(model, 200)) - 0.5 * FEATURES * math.log(math.pi)
    assert elbo < evidence
    precision = torch.eye(3, dtype=torch.float64) + 2 * weight.T @ weight
    mean = 2 * (inputs - offset) @ weight @ torch.linalg.inv(precision)
    variance = torch.linalg.inv(precision)
    expected_error = (inputs - offset - mean @ weight.T).square().sum(1) + torch.trace(weight @ variance @ weight.T)
    exact = torch.distributions.MultivariateNormal(mean, variance.expand(200, 3, 3))
    prior = torch.distributions.MultivariateNormal(origin[0], torch.eye(3, dtype=torch.float64))
    attained = -(expected_error + kl_divergence(exact, prior)).mean() - 0.5 * FEATURES * math.log(math.pi)
    torch.testing.assert_close(attained, evidence)


def test_the_latent_is_the_posterior_mean() -> None:
    model, inputs = built("beta_vae"), torch.rand(5, FEATURES, dtype=torch.float64)
    torch.testing.assert_close(model.layers(inputs)["latent"], model.encoder(inputs)[:, :3])


def planted(samples: int, correlation: float) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Gaussians whose means correlate, two latents, and a draw from each."""
    torch.manual_seed(1)
    mix = torch.linalg.cholesky(torch.tensor([[1.0, correlation], [correlation, 1.0]], dtype=torch.float64))
    mean = torch.randn(samples, 2, dtype=torch.float64) @ mix.T
    log_variance = torch.full_like(mean, math.log(0.25))
    return mean + 0.5 * torch.randn_like(mean), mean, log_variance


def test_the_three_terms_add_up_to_the_kl_in_expectation() -> None:
    drawn, mean, log_variance = planted(1500, correlation=0.0)
    parts = torch.stack(decompose(drawn, mean, log_variance))
    assert parts.sum().item() == pytest.approx(kl_from_standard(mean, log_variance).item(), rel=0.03)


def test_total_correlation_is_none_of_independent_latents_and_known_of_gaussian_ones() -> None:
    assert abs(decompose(*planted(1500, correlation=0.0)).total_correlation) < 0.02
    drawn, mean, log_variance = planted(1500, correlation=0.9)
    covariance = torch.cov(mean.T) + 0.25 * torch.eye(2, dtype=torch.float64)  # means, and a draw about each
    joint = torch.distributions.MultivariateNormal(mean.mean(0), covariance).log_prob(drawn)
    each = Normal(mean.mean(0), covariance.diagonal().sqrt()).log_prob(drawn).sum(1)
    expected = (joint - each).mean().item()
    assert decompose(drawn, mean, log_variance).total_correlation.item() == pytest.approx(expected, rel=0.05)
    assert expected > 0.25


def test_mutual_information_is_that_of_a_gaussian_channel() -> None:
    drawn, mean, log_variance = planted(1500, correlation=0.0)
    expected = 2 * 0.5 * math.log(1 + 1 / 0.25)
    assert decompose(drawn, mean, log_variance).mutual_information.item() == pytest.approx(expected, rel=0.03)


def test_at_beta_1_the_total_correlation_family_has_the_loss_of_one_sampled_kl() -> None:
    model, inputs = built("beta_tcvae", beta=1.0, variance=0.3), torch.rand(40, FEATURES, dtype=torch.float64)
    noise = drawn_noise(model, 40)
    mean, log_variance = model.posterior(inputs)
    drawn = mean + (log_variance / 2).exp() * noise["standard"]
    sampled = (Normal(mean, (log_variance / 2).exp()).log_prob(drawn) - Normal(0.0, 1.0).log_prob(drawn)).sum(1).mean()
    error = squared_error(model.decode(drawn), inputs)
    torch.testing.assert_close(model.loss(inputs, noise), error + 0.6 * sampled)


def test_a_latent_that_the_error_does_not_need_is_pruned(tmp_path: Any) -> None:
    """One source, three latents: the KL leaves one of them alive."""
    settings = {
        "sources": 1, "observed": 6, "condition": 1, "n": 400, "hidden": (32,), "latent_dim": 3, "epochs": 120,
        "batch_size": 32, "learning_rate": 0.01, "beta": 3, "negative_slope": 1.0,
    }  # fmt: skip
    config = nid.TrainConfig.from_settings("nonlinear_mixing", "beta_vae", settings)
    run = nid.train(config, [0], nid.RunStore(tmp_path))[0]
    spread = np.sort(run.representation("latent").values.std(0))
    assert spread[-1] > 0.7
    assert spread[-2] < 0.15

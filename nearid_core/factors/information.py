"""How much each component says about each factor."""

from __future__ import annotations

import numpy as np

from nearid_core.factors.ross import class_information


def normalised_information(
    latents: np.ndarray, codes: np.ndarray, *, neighbours: int, discrete: bool, rng: np.random.RandomState
) -> np.ndarray:
    """I(factor; latent) / H(factor), (factors, latents); 0 of a constant factor. It can exceed 1 by estimation error.

    latents : (n, D); codes : (n, K) classes. discrete : latents are classes themselves, and the plain count is taken;
    else nearest neighbours (`ross`).
    """
    if discrete:
        classes = [np.unique(column, return_inverse=True)[1] for column in latents.T]
        shared = np.array([[_shared(factor, latent) for latent in classes] for factor in codes.T])
    else:
        shared = class_information(latents, codes, neighbours, rng)
    entropies = np.array([entropy(np.bincount(factor)) for factor in codes.T])
    return np.divide(shared, entropies[:, None], out=np.zeros_like(shared), where=entropies[:, None] > 0)


def entropy(counts: np.ndarray) -> float:
    """Of the empirical distribution, in nats."""
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log(shares)).sum())


def _shared(a: np.ndarray, b: np.ndarray) -> float:
    """Plain mutual information of two sets of classes, in nats."""
    joint = np.bincount(a * (b.max() + 1) + b)
    return max(0.0, entropy(np.bincount(a)) + entropy(np.bincount(b)) - entropy(joint))

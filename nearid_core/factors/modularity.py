"""InfoM and InfoC from a matrix of normalised mutual information."""

from __future__ import annotations

import numpy as np


def modularity(nmi: np.ndarray) -> float:
    """Whether each latent says something about one factor only: 1 when it does, 0 when all factors equally.

    nmi : (factors, active latents). Latents that say nothing are left out, as in the authors' training code; nan where
        none is left, or with a single factor, which every latent that says anything says alone.
    """
    return _concentration(nmi.T)


def compactness(nmi: np.ndarray) -> float:
    """Whether each factor is said by one latent only. nmi : as for `modularity`; nan with a single active latent."""
    return _concentration(nmi)


def _concentration(shares: np.ndarray) -> float:
    """Mean over rows of (largest / sum), moved so that equal shares are 0."""
    total = shares.sum(axis=1)
    says = total > 0
    width = shares.shape[1]
    if width < 2 or not says.any():
        return float("nan")
    largest = (shares[says].max(axis=1) / total[says]).mean()
    return float((largest - 1 / width) / (1 - 1 / width))

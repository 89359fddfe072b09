"""How many batches the neighbourhood of a sample effectively holds."""

from __future__ import annotations

import numpy as np

from nearid_core.batches.mixing.neighbours import Neighbours

_STEPS, _TOLERANCE = 50, 1e-5


def ilisi(neighbours: Neighbours, batch: np.ndarray) -> float:
    """Integration LISI: the median over samples of the inverse Simpson index of the batches around it, from 0 to 1.

    A neighbour's weight falls with its distance so that the weights have a perplexity of k / 3; 0 is one batch, 1 is
    all batches in equal parts. Source: Korsunsky et al., Nature Methods 2019; scaled as Luecken et al., 2022.
    """
    count = int(batch.max()) + 1
    around = neighbours.indices[:, 1:]
    weights = _weights(neighbours.distances[:, 1:], neighbours.k // 3)
    parts = np.stack([(weights * (batch[around] == one)).sum(axis=1) for one in range(count)], axis=1)
    return float((np.median(1.0 / (parts**2).sum(axis=1)) - 1.0) / (count - 1.0))


def _weights(distances: np.ndarray, perplexity: float) -> np.ndarray:
    """exp(-beta d), summing to 1, with beta of each row found by bisection for this perplexity; (n, k)."""
    target = np.log(perplexity)
    beta = np.ones((len(distances), 1))
    low, high = np.full_like(beta, -np.inf), np.full_like(beta, np.inf)
    for _ in range(_STEPS):
        weights = np.exp(-distances * beta)
        total = np.maximum(weights.sum(axis=1, keepdims=True), np.finfo(float).tiny)
        entropy = np.log(total) + beta * (distances * weights).sum(axis=1, keepdims=True) / total
        excess = entropy - target
        if (np.abs(excess) < _TOLERANCE).all():
            break
        sharper = excess > 0
        low, high = np.where(sharper, beta, low), np.where(sharper, high, beta)
        up = np.where(np.isinf(high), 2.0 * beta, (beta + high) / 2.0)
        down = np.where(np.isinf(low), beta / 2.0, (beta + low) / 2.0)
        beta = np.where(np.abs(excess) < _TOLERANCE, beta, np.where(sharper, up, down))
    weights = np.exp(-distances * beta)
    return weights / np.maximum(weights.sum(axis=1, keepdims=True), np.finfo(float).tiny)

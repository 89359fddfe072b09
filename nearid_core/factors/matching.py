"""One component for each factor."""

from __future__ import annotations

import numpy as np


def matched(association: np.ndarray) -> np.ndarray:
    """(factors,) the latent of each factor in the assignment with the largest sum; -1 for a factor left without one.

    association : (factors, latents), larger is better.
    """
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(-association)
    found = np.full(association.shape[0], -1)
    found[rows] = columns
    return found


def mean_correlation(association: np.ndarray) -> float:
    """MCC: the mean over factors of the correlation with the latent matched to it.

    A factor left without a latent counts as 0, so that fewer latents than factors cannot score 1. nan without factors.
    """
    if 0 in association.shape:
        return 0.0 if association.shape[0] else float("nan")
    latents = matched(association)
    pairs = np.flatnonzero(latents >= 0)
    return float(association[pairs, latents[pairs]].sum() / len(association))

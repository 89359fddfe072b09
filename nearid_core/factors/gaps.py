"""Scores from the gap between the best latent of a factor and the second best."""

from __future__ import annotations

import numpy as np

from nearid_core.factors.information import normalised_information
from nearid_core.factors.known_factors import FactorTable

MIG_BINS = 20


def mutual_information_gap(latents: np.ndarray, table: FactorTable) -> float:
    """MIG (Chen et al., NeurIPS 2018): gap in normalised mutual information, latents in 20 bins of equal width."""
    binned = np.stack([_bins(column) for column in latents.T], axis=1)
    # the random state is for ties between continuous latents, of which there are none here
    nmi = normalised_information(binned, table.codes, neighbours=0, discrete=True, rng=np.random.RandomState(0))
    return _mean_gap(nmi[table.varying])


def separated_predictability(latents: np.ndarray, table: FactorTable) -> float:
    """SAP (Kumar et al., ICLR 2018), the continuous form: gap in squared correlation.

    The discrete form, by the accuracy of one-latent classifiers, gives a perfect code of ten classes about .08.
    """
    from nearid_core.factors.association import absolute_correlations

    return _mean_gap(absolute_correlations(latents, table)[table.varying] ** 2)


def _bins(column: np.ndarray) -> np.ndarray:
    return np.digitize(column, np.histogram_bin_edges(column, MIG_BINS)[:-1])


def _mean_gap(scores: np.ndarray) -> float:
    """Over factors; with a single latent the second best is nothing, 0. nan without factors."""
    if not len(scores):
        return float("nan")
    padded = np.sort(np.pad(scores, ((0, 0), (2, 0))), axis=1)
    return float((padded[:, -1] - padded[:, -2]).mean())

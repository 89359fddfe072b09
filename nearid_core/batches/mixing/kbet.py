"""In how many neighbourhoods the batches occur as often as overall."""

from __future__ import annotations

import numpy as np

from nearid_core.batches.mixing.neighbours import Neighbours

ALPHA = 0.05


def kbet(neighbours: Neighbours, batch: np.ndarray) -> float:
    """Share of samples whose neighbourhood a chi-square test at 5% does not tell from the overall batch frequencies.

    1 is well mixed. Source: Büttner et al., Nature Methods 2019, without its resampling, as scib-metrics has it.
    """
    from scipy.stats import chi2

    count = int(batch.max()) + 1
    expected = np.bincount(batch, minlength=count) / len(batch) * neighbours.k
    observed = np.stack([(batch[neighbours.indices] == one).sum(axis=1) for one in range(count)], axis=1)
    statistic = ((observed - expected) ** 2 / expected).sum(axis=1)
    return float((chi2.sf(statistic, count - 1) >= ALPHA).mean())

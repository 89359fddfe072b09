"""How much of the variance the batch explains."""

from __future__ import annotations

import numpy as np


def principal_component_regression(values: np.ndarray, batch: np.ndarray) -> float:
    """R^2 of each principal component on the batch, averaged by the variance of the components; 0 is no batch effect.

    The batch is taken as categories. Since the weights are the variances, this is the between-batch part of the total
    sum of squares, which needs no components. Source: Büttner et al., Nature Methods 2019.
    """
    from nearid_core.batches.variance import one_way

    found = one_way(np.asarray(values, dtype=np.float64), batch)
    return float(found.between.sum() / found.total.sum())

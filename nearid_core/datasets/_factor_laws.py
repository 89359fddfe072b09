"""How the factors of rendered datasets are distributed, within [0, 1]."""

from __future__ import annotations

import numpy as np

from nearid_core.datasets.nonlinear_mixing import LAWS

# What of a law of mean 0 and variance 1 is mapped onto [0, 1], in standard deviations to either side. All of it where
# it is bounded; of the others .02 % (gaussian) and .5 % (laplace) are clipped, a small atom at each end.
SPANS = {"laplace": 3.75, "uniform": np.sqrt(3.0), "arcsine": np.sqrt(2.0), "gaussian": 3.75}


def draw_factors(rng: np.random.Generator, shape: tuple[int, int], law: str, levels: int | None) -> np.ndarray:
    """(n, factors) float64 in [0, 1], of mean 1/2.

    levels : so many values, equally far apart, of an equally divided range each; None: continuous.
    """
    drawn = np.clip(0.5 + 0.5 * LAWS[law](rng, shape) / SPANS[law], 0.0, 1.0)
    if levels is None:
        return drawn
    return np.minimum(np.floor(levels * drawn), levels - 1) / (levels - 1)

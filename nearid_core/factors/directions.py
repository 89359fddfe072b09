"""How many directions of a representation are alive."""

from __future__ import annotations

import numpy as np
import pandas as pd

DEAD_BELOW = 1 / 20  # of the largest standard deviation; InfoMEC's rule for the range of a latent, on principal axes


def live_directions(eigenvalues: np.ndarray) -> int:
    """Leading principal directions whose standard deviation is above 1/20 of the largest.

    Whitening gives every direction unit variance, dead ones too, and ICA would take their noise for components. So
    this is decided before it, and inherited by all whitened spaces.
    """
    spread = np.sqrt(eigenvalues)
    return int((spread > DEAD_BELOW * spread[0]).sum())


def direction_table(eigenvalues: np.ndarray) -> pd.DataFrame:
    """One row a principal direction: ``direction``, ``std`` in the representation's units, ``active``."""
    numbers = np.arange(len(eigenvalues))
    return pd.DataFrame(
        {"direction": numbers, "std": np.sqrt(eigenvalues), "active": numbers < live_directions(eigenvalues)}
    )

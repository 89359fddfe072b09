"""Latents and the factors of the same samples, checked against each other."""

from __future__ import annotations

import numpy as np
import pandas as pd

from nearid_core.components.whitening import check_finite
from nearid_core.errors import InvalidInput
from nearid_core.factors.known_factors import BINS, FactorTable, factor_table

FEWEST = 20


def paired(
    latents: np.ndarray, factors: pd.DataFrame | np.ndarray | FactorTable, bins: int = BINS
) -> tuple[np.ndarray, FactorTable]:
    """latents : (n, D), float64 from here on; factors : one row for each of the same samples, in the same order.

    Raises InvalidInput where they do not fit, where there are fewer than 20 samples, or for NaN or infinite values.
    """
    array = np.asarray(latents)
    if array.ndim != 2 or not np.issubdtype(array.dtype, np.number) or 0 in array.shape:
        raise InvalidInput(
            f"The latents have shape {array.shape} and type {array.dtype}; expected a matrix of numbers."
        )
    check_finite(array, "The latents")
    table = factors if isinstance(factors, FactorTable) else factor_table(factors, bins=bins)
    if len(table) != len(array):
        raise InvalidInput(
            f"There are {len(array):,} rows of latents and {len(table):,} of factors; expected the same samples."
        )
    if len(array) < FEWEST:
        raise InvalidInput(f"There are {len(array)} samples; {FEWEST} are the fewest that a score is read from.")
    return array.astype(np.float64), table

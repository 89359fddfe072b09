"""Rows shuffled within their class: what is left when only the class is known."""

from __future__ import annotations

import numpy as np


def shuffled_within(classes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(n,) a permutation of the rows that keeps every row within its class."""
    permutation = np.empty(len(classes), dtype=np.intp)
    permutation[np.argsort(classes, kind="stable")] = np.lexsort((rng.random(len(classes)), classes))
    return permutation

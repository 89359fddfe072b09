"""Pearson correlation between the columns of two matrices."""

from __future__ import annotations

import numpy as np


def correlations(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Pearson correlation of every column of a with every column of b; (columns of a, columns of b)."""
    a = (a - a.mean(axis=0)) / a.std(axis=0)
    b = (b - b.mean(axis=0)) / b.std(axis=0)
    return a.T @ b / len(a)

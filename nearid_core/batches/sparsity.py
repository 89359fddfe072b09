"""How few coordinates something is spread over."""

from __future__ import annotations

import numpy as np

TOP = 0.25  # share of the features that count as the top


def hoyer(weights: np.ndarray) -> np.ndarray:
    """Hoyer sparsity along the last axis: 1 for a single nonzero entry, 0 for equal magnitudes.

    (sqrt(n) - |w|_1 / |w|_2) / (sqrt(n) - 1); NaN for a zero vector and for n = 1. Of weights it compares spaces of
    one dimension only. Source: Hoyer, JMLR 2004.
    """
    weights = np.abs(np.asarray(weights, dtype=np.float64))
    root = np.sqrt(weights.shape[-1])
    length = np.sqrt((weights**2).sum(axis=-1))
    with np.errstate(invalid="ignore", divide="ignore"):
        value = (root - weights.sum(axis=-1) / length) / (root - 1.0)
    return np.where((length > 0) & (weights.shape[-1] > 1), value, np.nan)


def concentration(eta2: np.ndarray) -> dict[str, float]:
    """How much of the biology stands in the quarter of the features that has most of it.

    eta2 : (D,), between labels. ``share`` is their part of the sum, never below a quarter by construction;
    ``mean_top`` their mean eta^2, the form that the published figures can only have.
    """
    top = np.sort(eta2)[::-1][: max(1, round(TOP * len(eta2)))]
    total = eta2.sum()
    return {"share": float(top.sum() / total) if total > 0 else np.nan, "mean_top": float(top.mean())}

"""Silhouette widths, of batches (to be small) and of labels (to be large)."""

from __future__ import annotations

import numpy as np


def silhouette_label(values: np.ndarray, label: np.ndarray) -> float:
    """(mean silhouette width + 1) / 2; 1 is labels far apart, .5 labels on top of each other."""
    from sklearn.metrics import silhouette_samples

    return float((silhouette_samples(values, label).mean() + 1.0) / 2.0)


def silhouette_batch(values: np.ndarray, batch: np.ndarray, label: np.ndarray) -> float:
    """1 - |silhouette width by batch|, mean within each label, then over labels; 1 is batches on top of each other.

    Labels in one batch, or with a batch a sample, say nothing and are left out; NaN where that is all of them. Over all
    samples at once it would rise as batches move apart, so it takes labels. Source: Luecken et al., Nature Methods
    2022.
    """
    from sklearn.metrics import silhouette_samples

    widths = []
    for one in np.unique(label):
        rows = label == one
        batches = len(np.unique(batch[rows]))
        if 2 <= batches < rows.sum():
            widths.append(1.0 - np.abs(silhouette_samples(values[rows], batch[rows])).mean())
    return float(np.mean(widths)) if widths else float("nan")

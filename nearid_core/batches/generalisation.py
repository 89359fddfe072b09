"""Cross-batch AUROC, summed up by label and by space, with intervals."""

from __future__ import annotations

import numpy as np
import pandas as pd

RESAMPLES = 1000
KEYS = ["space", "penalty"]
_FIGURES = ("auroc", "low", "high", "auroc_permuted", "hoyer")


def by_label(folds: pd.DataFrame, seed: int = 0) -> pd.DataFrame:
    """One row a (space, penalty, label): mean over left-out batches (and draws), with ``low`` and ``high``.

    folds : as `cross_batch` gives them, with ``unit``, the independent unit of each left-out batch. The interval is a
    bootstrap over units, NaN for fewer than 3. ``n_batches`` were judged, ``n_skipped`` could not be.
    """
    if folds.empty:
        return pd.DataFrame(columns=[*KEYS, "label", *_FIGURES, "n_batches", "n_skipped"])
    judged = folds[folds["skipped"] == ""]
    skipped = folds[folds["skipped"] != ""].groupby("label").size()
    rows = []
    for keys, part in judged.groupby([*KEYS, "label"], sort=False):
        low, high = _interval(part.groupby("unit")["auroc"].mean().to_numpy(), seed)
        found = {
            "auroc": part["auroc"].mean(),
            "low": low,
            "high": high,
            "auroc_permuted": part["auroc_permuted"].mean(),
            "hoyer": part["hoyer"].mean(),
            "n_batches": part["batch"].nunique(),
            "n_skipped": int(skipped.get(keys[2], 0)),
        }
        rows.append(dict(zip([*KEYS, "label"], keys, strict=True)) | found)
    return pd.DataFrame(rows)


def by_space(labels: pd.DataFrame, seed: int = 0) -> pd.DataFrame:
    """One row a (space, penalty): mean over labels, interval by a bootstrap over labels, and the permuted null."""
    rows = []
    if labels.empty:
        return pd.DataFrame(columns=[*KEYS, *_FIGURES, "n_labels"])
    for keys, part in labels.groupby(KEYS, sort=False):
        low, high = _interval(part["auroc"].to_numpy(), seed)
        found = {
            "auroc": part["auroc"].mean(),
            "low": low,
            "high": high,
            "auroc_permuted": part["auroc_permuted"].mean(),
            "hoyer": part["hoyer"].mean(),
            "n_labels": len(part),
        }
        rows.append(dict(zip(KEYS, keys, strict=True)) | found)
    return pd.DataFrame(rows)


def _interval(values: np.ndarray, seed: int) -> tuple[float, float]:
    """Bootstrap over the entries, 95%; NaN for fewer than 3."""
    if len(values) < 3:
        return np.nan, np.nan
    draws = np.random.default_rng(seed).integers(len(values), size=(RESAMPLES, len(values)))
    low, high = np.quantile(values[draws].mean(axis=1), [0.025, 0.975])
    return float(low), float(high)

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
        found = _figures(part, part.groupby("unit")["auroc"].mean().to_numpy(), seed) | {
            "n_batches": part["batch"].nunique(),
            "n_skipped": int(skipped.get(keys[2], 0)),
        }
        rows.append(dict(zip([*KEYS, "label"], keys, strict=True)) | found)
    return pd.DataFrame(rows)


def by_space(labels: pd.DataFrame, seed: int = 0) -> pd.DataFrame:
    """One row a (space, penalty): mean over labels, interval by a bootstrap over labels, and the permuted null."""
    if labels.empty:
        return pd.DataFrame(columns=[*KEYS, *_FIGURES, "n_labels"])
    rows = []
    for keys, part in labels.groupby(KEYS, sort=False):
        found = _figures(part, part["auroc"].to_numpy(), seed) | {"n_labels": len(part)}
        rows.append(dict(zip(KEYS, keys, strict=True)) | found)
    return pd.DataFrame(rows)


def _figures(part: pd.DataFrame, independent: np.ndarray, seed: int) -> dict[str, float]:
    """Means over the rows; the interval is over the independent values."""
    low, high = _interval(independent, seed)
    means = {name: float(part[name].mean()) for name in ("auroc", "auroc_permuted", "hoyer")}
    return {"auroc": means["auroc"], "low": low, "high": high, **means}


def _interval(values: np.ndarray, seed: int) -> tuple[float, float]:
    """NaN for fewer than 3 entries."""
    return mean_interval(values, seed) if len(values) >= 3 else (np.nan, np.nan)


def mean_interval(values: np.ndarray, seed: int) -> tuple[float, float]:
    """Of the mean, 95%, by a bootstrap over the entries."""
    draws = np.random.default_rng(seed).integers(len(values), size=(RESAMPLES, len(values)))
    low, high = np.quantile(values[draws].mean(axis=1), [0.025, 0.975])
    return float(low), float(high)

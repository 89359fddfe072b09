"""From predictions to rows of a table: errors, their intervals, their controls."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from nearid_core.align import controls
from nearid_core.align.intervals import LEVEL, jackknife, mean_intervals, quantile, quantile_intervals
from nearid_core.align.spaces import Prediction

CEILING = {"component": "rigid", "latent": "whitened_rigid"}
_CONTROLS = ("constant", "class_mean", "within_label", "shuffled")


@dataclass(frozen=True, eq=False)
class Nulls:
    """Shuffles of the held-out rows, drawn once so that every pair and group meets the same ones.

    labels, fit_labels : class codes of the held-out and the fit rows, or None.
    """

    n_heldout: int
    count: int
    labels: np.ndarray | None
    fit_labels: np.ndarray | None
    seed: int

    @cached_property
    def free(self) -> np.ndarray:
        return controls.shuffles(self.n_heldout, self.count, np.random.default_rng(self.seed))

    @cached_property
    def within(self) -> np.ndarray | None:
        if self.labels is None:
            return None
        return controls.shuffles_within(self.labels, self.count, np.random.default_rng(self.seed + 1))


def error_rows(predictions: Sequence[Prediction], nulls: Nulls) -> tuple[pd.DataFrame, np.ndarray]:
    """One row a prediction, and the (rows, n_heldout) residuals in diameters."""
    distances = np.stack([np.linalg.norm(p.target - p.predicted, axis=1) for p in predictions])
    residuals = distances / np.array([[p.unit.value] for p in predictions])
    q95 = quantile_intervals(residuals, 0.95)
    errors = {
        "mean": residuals.mean(axis=1),
        "rms": np.sqrt((residuals**2).mean(axis=1)),
        "median": quantile(residuals, 0.5),
        "q95": quantile(residuals, 0.95),
        "q95_low": q95[:, 0],
        "q95_high": q95[:, 1],
        "q99": quantile(residuals, 0.99),
        "max": residuals.max(axis=1),
        "r2": [r_squared(p) for p in predictions],
    }
    described = [
        {"group": p.group, "space": p.space, **_control_errors(p, nulls, mean), **_sizes(p)}
        for p, mean in zip(predictions, errors["mean"], strict=True)
    ]
    frame = pd.DataFrame(described)
    table = pd.concat([frame[["group", "space"]], pd.DataFrame(errors), frame.drop(columns=["group", "space"])], axis=1)
    return table, residuals.astype(np.float32)


def with_mean_intervals(table: pd.DataFrame, residuals: np.ndarray, seed: int) -> pd.DataFrame:
    """Adds ``mean_low`` and ``mean_high``, for all rows from the same resamples of the samples."""
    low, high = mean_intervals(residuals, seed).T
    columns = list(table.columns)
    after = columns.index("mean") + 1
    columns[after:after] = ["mean_low", "mean_high"]
    return table.assign(mean_low=low, mean_high=high)[columns]


def r_squared(prediction: Prediction) -> float:
    """1 - squared residuals over squared deviations from the held-out mean, pooled over columns."""
    total = ((prediction.target - prediction.target.mean(axis=0)) ** 2).sum()
    return float(1.0 - ((prediction.target - prediction.predicted) ** 2).sum() / total)


def average_over_pairs(table: pd.DataFrame, residuals: np.ndarray) -> pd.DataFrame:
    """`Comparison.summary`: one row a (space, group)."""
    n_pairs = len(table[["reference", "other"]].drop_duplicates())
    # alpha is shared between the pairs, so that the limits on the largest quantile hold for all of them at once
    together = quantile_intervals(residuals, 0.95, 1.0 - (1.0 - LEVEL) / n_pairs)
    rows = []
    for (space, group), part in table.groupby(["space", "group"], sort=False):
        mean = part["mean"].to_numpy()
        pairs = list(zip(part["reference"], part["other"], strict=True))
        low, high = jackknife(pairs, lambda mask, mean=mean: float(mean[mask].mean()))  # type: ignore[misc]
        limits = together[part.index]
        rows.append(
            {
                "space": space,
                "group": group,
                "mean": mean.mean(),
                "low": low,
                "high": high,
                "epsilon_95": part["q95"].max(),
                "epsilon_95_low": limits[:, 0].max(),
                "epsilon_95_high": limits[:, 1].max(),
                "r2": part["r2"].mean(),
                **{control: part[control].mean() for control in _CONTROLS},
                "n_pairs": n_pairs,
            }
        )
    return pd.DataFrame(rows)


def efficiency_rows(table: pd.DataFrame, residuals: np.ndarray) -> pd.DataFrame:
    """`Comparison.ica_efficiency`: one row a (reference, other, space), then one for the mean over pairs."""
    rows = []
    for space, ceiling in CEILING.items():
        part = table[table["space"] == space]
        if not {"signed_permutation", "ica", ceiling} <= set(part["group"]):
            continue
        values, pairs = [], []
        for pair, of_pair in part.groupby(["reference", "other"], sort=False):
            position = of_pair.reset_index().set_index("group")["index"]
            rows_of = {name: residuals[position[name]] for name in ("signed_permutation", "ica", ceiling)}
            efficiency, reason = ica_efficiency(*rows_of.values())
            rows.append(
                {"reference": pair[0], "other": pair[1], "space": space, "efficiency": efficiency, "reason": reason}
            )
            values.append(efficiency)
            pairs.append(pair)
        rows.append({"reference": "all", "other": "all", "space": space, **_mean_efficiency(np.array(values), pairs)})
    columns = ["reference", "other", "space", "efficiency", "low", "high", "reason"]
    return pd.DataFrame(rows).reindex(columns=columns)


def ica_efficiency(signed: np.ndarray, ica: np.ndarray, ceiling: np.ndarray) -> tuple[float, str]:
    """Which part of the gap between a signed permutation of the latents and the ceiling ICA closes.

    signed, ica, ceiling : (n_heldout,) errors of the same samples.

    Returns the efficiency and "" or, where the gap is under two standard errors, NaN and the reason.
    """
    gap = signed.astype(np.float64) - ceiling
    standard_error = gap.std(ddof=1) / np.sqrt(len(gap))
    if gap.mean() < 2.0 * standard_error or gap.mean() <= 0:
        return np.nan, "a signed permutation is as good as the ceiling: there is no gap for ICA to close"
    return efficiency_of_means(float(signed.mean()), float(ica.mean()), float(ceiling.mean())), ""


def efficiency_of_means(signed: float, ica: float, ceiling: float) -> float:
    """(e_signed_permutation - e_ica) / (e_signed_permutation - e_ceiling), as the paper's tables have it."""
    return (signed - ica) / (signed - ceiling)


def _mean_efficiency(values: np.ndarray, pairs: Sequence[tuple[Hashable, ...]]) -> dict[str, Any]:
    known = np.isfinite(values)
    if not known.any():
        return {"efficiency": np.nan, "reason": "no pair has a gap for ICA to close"}
    chosen = [pair for pair, keep in zip(pairs, known, strict=True) if keep]
    values = values[known]
    low, high = jackknife(chosen, lambda mask: float(values[mask].mean()) if mask.any() else np.nan)
    left_out = int((~known).sum())
    reason = f"mean of {len(values)} pairs; {left_out} without a gap are left out" if left_out else ""
    return {"efficiency": values.mean(), "low": low, "high": high, "reason": reason}


def _control_errors(prediction: Prediction, nulls: Nulls, mean: float) -> dict[str, float]:
    unit, target, predicted = prediction.unit.value, prediction.target, prediction.predicted
    shuffled = controls.shuffled_errors(predicted, target, nulls.free) / unit
    found = {
        "constant": controls.constant_error(target, prediction.fit.mean(axis=0)) / unit,
        "class_mean": np.nan,
        "within_label": np.nan,
        "shuffled": float(shuffled.mean()),
        "n_shuffles": nulls.count,
        "p_shuffled": controls.p_value(mean, shuffled),
    }
    if nulls.labels is not None and nulls.fit_labels is not None and nulls.within is not None:
        by_class = controls.class_mean_error(target, nulls.labels, prediction.fit, nulls.fit_labels)
        found["class_mean"] = by_class / unit
        found["within_label"] = float(controls.shuffled_errors(predicted, target, nulls.within).mean() / unit)
    return found


def _sizes(prediction: Prediction) -> dict[str, Any]:
    return {
        "n_fit": len(prediction.fit),
        "n_heldout": len(prediction.target),
        "width": prediction.target.shape[1],
        "rank": prediction.rank,
        "unmatched_variance": prediction.unmatched,
        "diameter": prediction.unit.value,
        "diameter_exact": prediction.unit.exact,
    }

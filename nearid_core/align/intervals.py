"""Intervals for means, quantiles and averages over pairs of runs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np

LEVEL = 0.95
_RESAMPLES = 1000


def mean_intervals(residuals: np.ndarray, seed: int = 0) -> np.ndarray:
    """Bootstrap over samples; residuals of shape (k, n) give (k, 2): 2.5 and 97.5 percent points of each mean."""
    rng = np.random.default_rng(seed)
    n = residuals.shape[1]
    chunks = [
        rng.multinomial(n, np.full(n, 1.0 / n), size=100).astype(np.float64) @ residuals.T / n
        for _ in range(_RESAMPLES // 100)
    ]
    tail = (1.0 - LEVEL) / 2.0
    return np.quantile(np.concatenate(chunks), [tail, 1.0 - tail], axis=0).T


def quantile(residuals: np.ndarray, q: float) -> np.ndarray:
    """The smallest observed value that at least a share q of the samples does not exceed, along the last axis."""
    return np.quantile(residuals, q, axis=-1, method="inverted_cdf")


def quantile_ranks(n: int, q: float, level: float = LEVEL) -> tuple[int, int]:
    """Ranks (0-based) of the two order statistics that enclose the q-quantile with at least this probability.

    A rank of -1 or n means that n samples are too few for a limit on that side. Distribution-free (binomial).
    """
    from scipy.stats import binom

    tail = (1.0 - level) / 2.0
    lower = int(binom.ppf(tail, n, q)) - 1
    upper = int(binom.ppf(1.0 - tail, n, q))
    return max(lower, -1), min(upper, n)


def quantile_intervals(residuals: np.ndarray, q: float, level: float = LEVEL) -> np.ndarray:
    """Order-statistic interval of the q-quantile; (k, n) gives (k, 2), NaN where n is too small."""
    ordered = np.sort(residuals, axis=1)
    n = ordered.shape[1]
    lower, upper = quantile_ranks(n, q, level)
    absent = np.full(len(ordered), np.nan)
    return np.stack(
        [ordered[:, lower] if lower >= 0 else absent, ordered[:, upper] if upper < n else absent],
        axis=1,
    )


def jackknife(pairs: Sequence[tuple[Hashable, ...]], statistic: Callable[[np.ndarray], float]) -> tuple[float, float]:
    """Interval of a figure averaged over ordered pairs of runs, leaving out one *run* at a time.

    pairs : the (reference, other) of each value; they share runs, so they are not independent observations.
    statistic : takes a boolean mask over the pairs.

    Returns (low, high) by Student's t with runs - 1 degrees of freedom; NaN for fewer than 3 runs.
    """
    from scipy.stats import t

    runs = sorted({run for pair in pairs for run in pair}, key=str)
    if len(runs) < 3:
        return np.nan, np.nan
    without = [np.array([run not in pair for pair in pairs]) for run in runs]
    left_out = np.array([statistic(mask) for mask in without])
    spread = np.sqrt((len(runs) - 1) / len(runs) * ((left_out - left_out.mean()) ** 2).sum())
    whole = statistic(np.ones(len(pairs), bool))
    half_width = float(t.ppf((1.0 + LEVEL) / 2.0, len(runs) - 1) * spread)
    return whole - half_width, whole + half_width

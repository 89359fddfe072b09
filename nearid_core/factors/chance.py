"""What a score is when there is nothing to find, and how far it depends on which samples there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from nearid_core.factors.reading import Reading
from nearid_core.factors.scores import Score

PERMUTATIONS = 99
HALVES = 40


def chance_of(
    reading: Reading,
    scores: Sequence[Score],
    *,
    permutations: int = PERMUTATIONS,
    halves: int = HALVES,
    seed: int = 0,
    step: Callable[[], None] = lambda: None,
) -> pd.DataFrame:
    """A row a score: ``null_mean``, ``null_q95``, ``p_value``, ``low``, ``high``; nan where it is not defined.

    Null: the rows of the factors are permuted against those of the latents, which keeps what the factors have to do
    with each other, and the latents with each other. p = (1 + permutations at or above the score) / (1 + permutations).

    Interval: 95 %, from halves of the rows drawn without replacement. A bootstrap doubles points, and a neighbour at
    distance 0 inflates every estimate from neighbours. The spread over halves of a sample is that of the score over
    samples of its size: var(half) - var(all) = 2 v / n - v / n.

    permutations, halves : how many of each; 0 for none. step : called after each.
    """
    n = len(reading.latents)
    for_null, for_halves = np.random.default_rng(seed).spawn(2)
    everyone = np.arange(n)

    def read(of_latents: np.ndarray, of_factors: np.ndarray) -> list[float]:
        there = reading.rows(of_latents, of_factors)
        found = [score.of(there) for score in scores]
        step()
        return found

    null = [read(everyone, for_null.permutation(n)) for _ in range(permutations)]
    parts = [np.sort(for_halves.choice(n, n // 2, replace=False)) for _ in range(halves)]
    spread = [read(part, part) for part in parts]
    observed = [score.of(reading) for score in scores]
    return pd.DataFrame(
        [
            _null(value, drawn) | _interval(value, about)
            for value, drawn, about in zip(observed, _columns(null, scores), _columns(spread, scores), strict=True)
        ]
    )


def _columns(draws: list[list[float]], scores: Sequence[Score]) -> np.ndarray:
    """(scores, draws)"""
    return np.array(draws, dtype=np.float64).reshape(len(draws), len(scores)).T


def _null(value: float, drawn: np.ndarray) -> dict[str, float]:
    known = drawn[~np.isnan(drawn)]
    if np.isnan(value) or not len(known):
        return dict.fromkeys(("null_mean", "null_q95", "p_value"), float("nan"))
    above = 1 + int((known >= value).sum())
    return {
        "null_mean": float(known.mean()),
        "null_q95": float(np.quantile(known, 0.95)),
        "p_value": above / (1 + len(known)),
    }


def _interval(value: float, halves: np.ndarray) -> dict[str, float]:
    known = halves[~np.isnan(halves)]
    if np.isnan(value) or not len(known):
        return dict.fromkeys(("low", "high"), float("nan"))
    low, high = value + np.quantile(known - known.mean(), [0.025, 0.975])
    return {
        "low": float(low),
        "high": min(float(high), max(1.0, value)),
    }  # no score is above 1, but by estimation error

"""Rows of a factor report's tables, one coordinate system at a time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from nearid_core.components import Components
from nearid_core.factors.chance import chance_of
from nearid_core.factors.matching import matched
from nearid_core.factors.reading import Reading
from nearid_core.factors.scores import Score
from nearid_core.factors.spaces import CONTROL, Coordinates
from nearid_core.factors.variants import Variant
from nearid_core.progress import Progress, ProgressCallback

MEASURES = ("nmi", "pearson", "spearman")
_SLOW = 20  # readings of the fast scores that take about as long as a slow score


@dataclass(frozen=True)
class Asked:
    """What is wanted of each coordinate system."""

    scores: tuple[Score, ...]
    variant: Variant
    permutations: int
    halves: int
    seed: int

    def draws(self, space: str) -> tuple[int, int]:
        """How many permutations and halves a space gets."""
        return (0, 0) if space == CONTROL else (self.permutations, self.halves)

    def of_draw(self, draw: int) -> tuple[Score, ...]:
        """The slow scores are read on the first random rotation only: InfoE is the same on all of them."""
        return self.scores if draw == 0 else tuple(score for score in self.scores if score.has_null)

    def weight(self, space: str) -> int:
        """How long a space takes, about, in readings of the fast scores."""
        return 1 + sum(self.draws(space)) + _SLOW * sum(not score.has_null for score in self.scores)


def score_rows(
    coordinates: Coordinates, reading: Reading, fitted: Components, asked: Asked, tell: ProgressCallback
) -> pd.DataFrame:
    """One row a (subset, score), as in `FactorReport.table`."""
    parts = dict(_subsets(coordinates, reading, fitted))
    permutations, halves = asked.draws(coordinates.space)
    fast = [score for score in asked.scores if score.has_null]
    counter = _Counter(coordinates.label, len(parts) * asked.weight(coordinates.space), tell)
    rows = []
    for subset, part in parts.items():
        counted = {
            "space": coordinates.space,
            "draw": coordinates.draw,
            "subset": subset,
            "n_latents": part.latents.shape[1],
            "n_active": int(part.active.sum()),
        }
        chance = chance_of(part, fast, permutations=permutations, halves=halves, seed=asked.seed, step=counter.step)
        known = dict(zip((score.name for score in fast), chance.to_dict("records"), strict=True))
        for score in asked.of_draw(coordinates.draw):
            rows.append(counted | {"score": score.name, "value": score.of(part)} | known.get(score.name, {}))
            counter.step(0 if score.has_null else _SLOW)
    columns = [*counted, "score", "value", "null_mean", "null_q95", "p_value", "low", "high"]
    return pd.DataFrame(rows).reindex(columns=columns)


def association_rows(coordinates: Coordinates, reading: Reading, fitted: Components) -> pd.DataFrame:
    """One row a (component, factor), as in `FactorReport.associations`."""
    factors, width = reading.nmi.shape
    component, factor = np.indices((width, factors))
    identified = fitted.diagnostics["identified"].to_numpy() if coordinates.space == "ica" else np.ones(width, bool)
    columns = {
        "space": coordinates.space,
        "component": component.ravel(),
        "factor": np.array(reading.table.names, dtype=object)[factor.ravel()],
        "identified": np.repeat(identified, factors),
        "active": np.repeat(reading.active, factors),
    }
    for measure in MEASURES:
        strength = getattr(reading, measure)
        columns |= {measure: strength.T.ravel(), f"{measure}_matched": _in_assignment(strength).T.ravel()}
    return pd.DataFrame(columns)


def _subsets(coordinates: Coordinates, reading: Reading, fitted: Components) -> Iterator[tuple[str, Reading]]:
    yield "all", reading
    identified = fitted.diagnostics["identified"].to_numpy()
    if coordinates.space == "ica" and identified.any() and not identified.all():
        yield "identified", reading.only(identified)


def _in_assignment(strength: np.ndarray) -> np.ndarray:
    """(factors, latents) bool, the pairs of the best assignment."""
    latents = matched(strength)
    pairs = np.zeros(strength.shape, bool)
    rows = np.flatnonzero(latents >= 0)
    pairs[rows, latents[rows]] = True
    return pairs


class _Counter:
    """Counts readings for a progress callback."""

    def __init__(self, what: str, total: int, tell: ProgressCallback) -> None:
        self.what, self.total, self.tell, self.done, self.began = what, total, tell, 0, time.monotonic()

    def step(self, readings: int = 1) -> None:
        self.done += readings
        self.tell(Progress(self.what, self.done, self.total, time.monotonic() - self.began))

"""Planted truths: codes of which everything is known, to see the method work and fail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from nearid_core.registry import Registry

SAMPLES = 2400
SEEDS = (0, 1, 2)

Draw = Callable[[np.random.Generator], tuple[np.ndarray, pd.DataFrame]]
"""Sources (n, k), the same in all runs, and the factors that are known of them."""
Code = Callable[[np.ndarray, np.random.Generator], np.ndarray]
"""From sources to the representation of one run, (n, D)."""


@dataclass(frozen=True)
class Planted:
    """One truth. shows : what it is for, in a few words; expected : what should be seen on the pages, and why.

    label : the factor that is a class, where there is one.
    """

    name: str
    title: str
    shows: str
    expected: str
    draw: Draw
    code: Code
    label: str | None = None

    @property
    def description(self) -> str:
        return self.shows

    def make(self) -> tuple[list[np.ndarray], pd.DataFrame]:
        """The representations of all runs, (n, D) each, and the factors, one row a sample."""
        sources, factors = self.draw(np.random.default_rng(0))
        return [self.code(sources, np.random.default_rng([1, seed])) for seed in SEEDS], factors


GALLERY: Registry[Planted] = Registry("planted truth")


def numbered(values: np.ndarray, name: str = "source") -> pd.DataFrame:
    return pd.DataFrame(values, columns=[f"{name}_{number}" for number in range(1, values.shape[1] + 1)])

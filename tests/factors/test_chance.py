"""The null says what it should: p-values of unrelated factors are uniform."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kstest

import nearid_core as nid

PERMUTATIONS = 99


def _p_values(seeds: range) -> np.ndarray:
    """(seeds, 2) of InfoM and InfoC, spread evenly within the steps that 99 permutations leave."""
    found = []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        latents, factors = rng.normal(size=(300, 4)), rng.uniform(size=(300, 4))
        null = nid.infomec(latents, factors, bins=8, permutations=PERMUTATIONS, halves=0, seed=seed).null
        found.append(null["p_value"].to_numpy() - rng.uniform(size=2) / (1 + PERMUTATIONS))
    return np.array(found)


def test_p_values_of_unrelated_factors_are_neither_small_nor_large() -> None:
    p_values = _p_values(range(12))
    assert ((p_values > 0) & (p_values < 1)).all()
    assert 0.25 < p_values.mean() < 0.75


@pytest.mark.nightly
def test_p_values_of_unrelated_factors_are_uniform_over_200_seeds() -> None:
    p_values = _p_values(range(200))
    for place, score in enumerate(("modularity", "compactness")):
        assert kstest(p_values[:, place], "uniform").pvalue > 0.01, score

"""The one-dimensional nearest-neighbour estimate."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import digamma
from sklearn.feature_selection import mutual_info_classif

from nearid_core.factors.ross import class_information


def _of_sklearn(latents: np.ndarray, codes: np.ndarray, neighbours: int, seed: int) -> np.ndarray:
    state = np.random.RandomState(seed)
    each = [
        [
            mutual_info_classif(latents[:, [d]], codes[:, k], n_neighbors=neighbours, random_state=state)[0]
            for d in range(latents.shape[1])
        ]
        for k in range(codes.shape[1])
    ]
    return np.array(each)


def _by_definition(values: np.ndarray, codes: np.ndarray, neighbours: int) -> float:
    """All distances at once, for values without ties."""
    sizes = np.bincount(codes)
    kept = sizes[codes] > 1
    values, codes = values[kept], codes[kept]
    if not len(values):
        return 0.0
    apart = np.abs(values[:, None] - values)
    reach = np.minimum(neighbours, sizes[codes] - 1)
    within = np.where(codes[:, None] == codes, apart, np.inf)
    radius = np.sort(within, axis=1)[np.arange(len(values)), reach]  # the first is the point itself
    counted = (apart < radius[:, None]).sum(axis=1)
    terms = digamma(len(values)) + digamma(reach) - digamma(sizes[codes]) - digamma(counted)
    return max(0.0, float(terms.mean()))


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(12, 200), classes=st.integers(1, 30), neighbours=st.integers(1, 12))
def test_it_is_the_definition_for_classes_of_any_size(seed: int, n: int, classes: int, neighbours: int) -> None:
    rng = np.random.default_rng(seed)
    codes = np.unique(rng.integers(0, classes, n), return_inverse=True)[1]
    values = rng.standard_normal(n) + codes / 2
    found = class_information(values[:, None], codes[:, None], neighbours, np.random.RandomState(seed))
    assert found[0, 0] == pytest.approx(_by_definition(values, codes, neighbours), abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), neighbours=st.integers(1, 12), decimals=st.sampled_from([0, 1, 12]))
def test_it_equals_scikit_learn_with_and_without_ties(seed: int, neighbours: int, decimals: int) -> None:
    rng = np.random.default_rng(seed)
    codes = rng.permutation(np.repeat(np.arange(4), 50))[:, None]
    latents = np.round(rng.standard_normal((200, 1)) + codes / 2, decimals)
    found = class_information(latents, codes, neighbours, np.random.RandomState(seed))
    assert found == pytest.approx(_of_sklearn(latents, codes, neighbours, seed), abs=1e-9)


def test_it_is_exact_on_separate_classes_and_zero_for_noise() -> None:
    rng = np.random.default_rng(0)
    codes = np.repeat(np.arange(4), 500)[:, None]
    apart = codes + 0.1 * rng.uniform(size=codes.shape)
    noise = rng.standard_normal(codes.shape)
    found = class_information(np.hstack([apart, noise]), codes, 10, np.random.RandomState(0))[0]
    assert found[0] == pytest.approx(np.log(4), abs=0.01)
    assert found[1] == pytest.approx(0, abs=0.02)


def test_the_neighbour_at_the_radius_is_not_counted() -> None:
    # equally spaced points: x + radius rounds onto a neighbour, which would count it and bias the estimate
    latents = (np.arange(600) * 0.1)[:, None]
    codes = (np.arange(600) % 3)[:, None]
    found = class_information(latents, codes, 3, np.random.RandomState(0))
    assert found == pytest.approx(_of_sklearn(latents, codes, 3, 0), abs=1e-6)

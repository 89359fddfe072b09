"""Which samples are held back depends on their ids and the seed, and on nothing else."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from nearid_core.datasets.split import hash_order, split_column

IDS = [f"sample-{number}" for number in range(200)]


def test_the_test_share_is_exact() -> None:
    assert (split_column(IDS, 0, 0.45) == "test").sum() == 90


@given(st.permutations(IDS[:40]), st.integers(0, 2**32 - 1))
def test_a_sample_is_held_back_wherever_it_stands(shuffled: list[str], seed: int) -> None:
    before = dict(zip(IDS[:40], split_column(IDS[:40], seed, 0.3), strict=True))
    after = dict(zip(shuffled, split_column(shuffled, seed, 0.3), strict=True))
    assert before == after


def test_orders_of_two_seeds_and_of_two_purposes_are_unrelated() -> None:
    def rank_correlation(one: np.ndarray, other: np.ndarray) -> float:
        return float(np.corrcoef(np.argsort(one), np.argsort(other))[0, 1])

    first = hash_order(IDS, 0, "test")
    assert abs(rank_correlation(first, hash_order(IDS, 1, "test"))) < 0.25
    assert abs(rank_correlation(first, hash_order(IDS, 0, "subset"))) < 0.25

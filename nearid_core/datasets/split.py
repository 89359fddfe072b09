"""Which samples are held back: decided by each sample's id, not by its place in a file."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np


def hash_order(sample_ids: Sequence[str], seed: int, purpose: str) -> np.ndarray:
    """Positions of the samples in an order that only their ids, `seed` and `purpose` decide; (N,) integers.

    purpose : keeps apart orders drawn with one seed, so that what is chosen by one says nothing about another.
    """
    keys = [blake2b(f"{purpose}:{seed}:{sample_id}".encode(), digest_size=8).digest() for sample_id in sample_ids]
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)


def split_column(sample_ids: Sequence[str], seed: int, test_share: float) -> np.ndarray:
    """(N,) of "train" and "test", with exactly round(N * test_share) of the second."""
    split = np.full(len(sample_ids), "train", dtype=object)
    split[hash_order(sample_ids, seed, "test")[: round(len(sample_ids) * test_share)]] = "test"
    return split

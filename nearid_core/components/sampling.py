"""Fewer of them, drawn with a seed."""

from __future__ import annotations

import numpy as np


def drawn(items: np.ndarray, limit: int, seed: int) -> np.ndarray:
    """All of them, or this many drawn with the seed, in their order."""
    if len(items) <= limit:
        return items
    return items[np.sort(np.random.default_rng(seed).choice(len(items), limit, replace=False))]

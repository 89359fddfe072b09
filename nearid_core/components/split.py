"""Which samples a transformation is fitted on, and which it is judged on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np


def heldout_mask(keys: Iterable[object], split_seed: int = 0) -> np.ndarray:
    """True for the held-out half, by a hash of each key.

    keys : sample ids, or the ids of the units whose rows are not independent: equal keys fall on the same side. A
        sample stays on its side whatever the other samples are, so every function and page has the same split.

    Returns a boolean array of shape (n_keys,).
    """
    salt = split_seed.to_bytes(8, "little", signed=True)
    return np.fromiter(
        (hashlib.blake2b(str(key).encode(), digest_size=1, key=salt).digest()[0] < 128 for key in keys), bool
    )

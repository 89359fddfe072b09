"""Tables whose truth is known: what moves with the batch, what with the label, and what the mixing was."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from nearid_core.components import random_rotation


@dataclass(frozen=True)
class Planted:
    """truth : (n, 8), four batch and four label directions; values : the same, turned at random."""

    truth: np.ndarray
    values: np.ndarray
    samples: pd.DataFrame


def planted(groups: tuple[int, int], law: str, noise: float, noise_law: str, seed: int, n: int = 4000) -> Planted:
    """groups : numbers of batches and labels. Offsets are of unit variance before the noise is added, columns after."""
    rng = np.random.default_rng(seed)
    draw = {
        "laplace": lambda size: rng.laplace(scale=np.sqrt(0.5), size=size),
        "gaussian": lambda size: rng.normal(size=size),
    }
    codes = [rng.integers(count, size=n) for count in groups]
    offsets = np.hstack([draw[law]((count, 4))[code] for count, code in zip(groups, codes, strict=True)])
    truth = offsets / offsets.std(axis=0) + noise * draw[noise_law](offsets.shape)
    truth /= truth.std(axis=0)
    samples = pd.DataFrame({"sample_id": [f"s{row}" for row in range(n)], "batch": codes[0], "label": codes[1]})
    return Planted(truth, truth @ random_rotation(8, rng).T, samples.astype(str))

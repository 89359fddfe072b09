"""What a training looked like, epoch by epoch, for several seeds at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

SHARED = ("epoch", "step", "seconds")
OWN = ("loss", "test_loss")


class History:
    """Rows of epoch, step, seconds, which the seeds share, and of loss and test_loss, which each has for itself."""

    def __init__(self, seeds: int) -> None:
        self._shared = {name: np.zeros(0) for name in SHARED}
        self._own = {name: np.zeros((0, seeds)) for name in OWN}

    def append(self, epoch: int, step: int, seconds: float, loss: np.ndarray, test_loss: np.ndarray) -> None:
        """loss, test_loss : (seeds,); NaN where it was not read."""
        for name, number in zip(SHARED, (epoch, step, seconds), strict=True):
            self._shared[name] = np.append(self._shared[name], number)
        for name, numbers in zip(OWN, (loss, test_loss), strict=True):
            self._own[name] = np.vstack([self._own[name], numbers])

    def of(self, index: int) -> pd.DataFrame:
        """One seed's rows: epoch, step (integers), seconds (wall time since the start), loss, test_loss."""
        own = {name: numbers[:, index] for name, numbers in self._own.items()}
        return pd.DataFrame({**self._shared, **own}).astype({"epoch": np.int64, "step": np.int64})

    @classmethod
    def of_seeds(cls, each: Sequence[pd.DataFrame]) -> History:
        """Put together again what `of` gave for every seed."""
        history = cls(len(each))
        history._shared = {name: each[0][name].to_numpy(dtype=float) for name in SHARED}
        history._own = {name: np.column_stack([one[name].to_numpy(dtype=float) for one in each]) for name in OWN}
        return history

"""The rows that spaces are fitted on, with what several spaces need of them computed once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nearid_core.components import Whitening, whiten
from nearid_core.components.ica import unmix

VARIANCE_KEPT = 0.99
COMPONENTS_MAX = 64
ICA_ROWS = 10_000  # rows that ICA is fitted on at most; the whitening takes all


@dataclass(frozen=True, eq=False)
class FitRows:
    """values : (n, D); batch : (n,) int; control : (n,) bool or None.

    n_components : leading principal directions kept (default: those that hold 99% of the variance, 64 at most).
    restarts : of ICA. seed : of its starts and of random rotations. name : what to call the values in an error.
    """

    values: np.ndarray
    batch: np.ndarray
    control: np.ndarray | None
    n_components: int | None = None
    restarts: int = 1
    seed: int = 0
    name: str = "The table"

    @cached_property
    def whitening(self) -> Whitening:
        full = whiten(self.values, self.n_components or COMPONENTS_MAX, name=self.name)
        if self.n_components is not None:
            return full
        kept = leading(full.eigenvalues, self.total_variance)
        return Whitening(full.mean, full.eigenvalues[:kept], full.eigenvectors[:, :kept], full.n_fit)

    @cached_property
    def total_variance(self) -> float:
        """Summed over columns."""
        return float(np.var(self.values, axis=0, dtype=np.float64).sum())

    @cached_property
    def ica_rows(self) -> np.ndarray:
        """Positions of the rows for ICA, a seeded sample where there are many."""
        if len(self.values) <= ICA_ROWS:
            return np.arange(len(self.values))
        return np.sort(np.random.default_rng(self.seed).choice(len(self.values), ICA_ROWS, replace=False))

    @cached_property
    def ica_rotation(self) -> np.ndarray:
        """(r, r), from whitened coordinates to components."""
        return unmix(self.whitening.transform(self.values[self.ica_rows]), self.restarts, self.seed).rotation


def leading(eigenvalues: np.ndarray, total: float) -> int:
    """How many leading directions hold 99% of the total variance, or all of those there are."""
    reached = np.cumsum(eigenvalues) >= VARIANCE_KEPT * total
    return int(reached.argmax()) + 1 if reached.any() else len(eigenvalues)

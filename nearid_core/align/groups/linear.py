from __future__ import annotations

import numpy as np

from nearid_core.align.groups.base import Alignment, Paired
from nearid_core.components.whitening import spectrum_floor


class Linear(Alignment):
    """zA + t: any linear map. Least squares on the directions of `other` that carry more than rounding.

    rank_ : directions of `other` used.
    """

    name = "linear"
    description = "any linear map"

    def _solve(self, pair: Paired) -> tuple[np.ndarray, float]:
        eigenvalues, vectors = np.linalg.eigh(pair.gram)
        n = len(pair.other)
        kept = eigenvalues / n > spectrum_floor(eigenvalues[-1] / n, pair.other_rounding)
        basis = vectors[:, kept]
        self._directions = int(kept.sum())
        cross = pair.cross[: pair.other.shape[1], : pair.reference.shape[1]]
        return basis @ ((basis.T @ cross) / eigenvalues[kept][:, None]), 1.0

    def _rank(self, pair: Paired) -> int:
        return self._directions

from __future__ import annotations

import numpy as np

from nearid_core.align.groups.base import Alignment, Paired


class Permutation(Alignment):
    """zP + t: the same axes in another order."""

    name = "permutation"
    description = "the same axes in another order"

    def _solve(self, pair: Paired) -> tuple[np.ndarray, float]:
        return _assign(pair.cross, pair.cross)[: pair.other.shape[1]], 1.0


class SignedPermutation(Alignment):
    """zPS + t: the same axes in another order, some of them flipped."""

    name = "signed_permutation"
    description = "the same axes in another order, some flipped"

    def _solve(self, pair: Paired) -> tuple[np.ndarray, float]:
        return _assign(np.abs(pair.cross), pair.cross)[: pair.other.shape[1]], 1.0


def _assign(gain: np.ndarray, cross: np.ndarray) -> np.ndarray:
    """The (signed) permutation matrix of largest total gain.

    With both sides padded to one width every column of the other run is placed somewhere, so the squared norms in
    ||b_i||^2 - 2 gain_ij sum to a constant and the gain alone decides.
    """
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(gain, maximize=True)
    matrix = np.zeros_like(cross)
    flipped = (cross[rows, columns] < 0) & (gain[rows, columns] > 0)
    matrix[rows, columns] = np.where(flipped, -1.0, 1.0)
    return matrix

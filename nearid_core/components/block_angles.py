"""Whether a block of unidentified components comes back in another run, as a subspace.

Within a block any rotation is as good, so its components cannot be matched one by one; the principal angles between two
blocks, as functions of the same samples, do not depend on the rotation. Their cosines are canonical correlations.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from nearid_core.components.correlation import correlations

IDENTIFIABLE = 0.9  # lowest held-out cosine from which a block counts as the same subspace
COLUMNS = ("block", "block_other", "size", "size_other", "lowest_r", "mean_r", "null_r", "identifiable")


@dataclass(frozen=True, eq=False)
class BlockedRows:
    """One run's components on the samples that both runs have, and the blocks among them.

    fit, heldout : (n, r) components; blocks : see `Components.blocks`.
    """

    fit: np.ndarray
    heldout: np.ndarray
    blocks: pd.DataFrame

    @cached_property
    def members(self) -> dict[int, np.ndarray]:
        """Components of each block."""
        component, block = self.blocks["component"].to_numpy(), self.blocks["block"].to_numpy()
        return {int(of): component[block == of] for of in np.unique(block)}

    @cached_property
    def bases(self) -> dict[int, tuple[np.ndarray, np.ndarray]]:
        """Of each block, its fit and held-out rows in coordinates that are orthonormal over the fit rows."""
        return {block: _orthonormal(self.fit[:, of], self.heldout[:, of]) for block, of in self.members.items()}


def block_angles(a: BlockedRows, b: BlockedRows, permutations: np.ndarray) -> pd.DataFrame:
    """One row a matched pair of blocks; empty where a run has none.

    permutations : (k, n_heldout) orders of the held-out rows, for the null.

    Blocks are matched by assignment on the part of the larger block's directions that they share on the fit rows.
    Canonical directions are found on the fit rows; ``lowest_r`` and ``mean_r`` are their held-out correlations, as many
    as the smaller block has dimensions, and ``null_r`` the 95 percent point over permutations of the largest of them.
    ``identifiable``: equal sizes (a small subspace nearly always lies within a large one), and a lowest of at least
    0.9 that is above the null.

    Source: Hotelling, Biometrika 1936 (canonical correlations).
    """
    from scipy.optimize import linear_sum_assignment

    shared = np.array([[_shared(a.bases[i][0], b.bases[j][0]) for j in b.bases] for i in a.bases])
    if shared.size == 0:
        return pd.DataFrame(columns=list(COLUMNS))
    blocks_a, blocks_b = list(a.bases), list(b.bases)
    rows = []
    for row, column in zip(*linear_sum_assignment(-shared), strict=True):
        i, j = blocks_a[row], blocks_b[column]
        pair = {"block": i, "block_other": j, "size": len(a.members[i]), "size_other": len(b.members[j])}
        rows.append(pair | _read(a.bases[i], b.bases[j], permutations))
    table = pd.DataFrame(rows)
    alike = (table["size"] == table["size_other"]) & (table["lowest_r"] >= IDENTIFIABLE)
    return table.assign(identifiable=alike & (table["lowest_r"] > table["null_r"]))


def _orthonormal(fit: np.ndarray, heldout: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    mean = fit.mean(axis=0)
    basis, upper = np.linalg.qr(fit - mean)
    return basis, np.linalg.solve(upper.T, (heldout - mean).T).T


def _shared(a: np.ndarray, b: np.ndarray) -> float:
    """Part of the larger subspace's directions that the other has too: squared cosines over its dimension."""
    return float(np.square(a.T @ b).sum() / max(a.shape[1], b.shape[1]))


def _read(
    a: tuple[np.ndarray, np.ndarray], b: tuple[np.ndarray, np.ndarray], permutations: np.ndarray
) -> dict[str, float]:
    u, _, vt = np.linalg.svd(a[0].T @ b[0], full_matrices=False)
    canonical_a, canonical_b = a[1] @ u, b[1] @ vt.T
    r = np.diag(correlations(canonical_a, canonical_b))
    null = [np.abs(np.diag(correlations(canonical_a, canonical_b[order]))).max() for order in permutations]
    return {"lowest_r": float(r.min()), "mean_r": float(r.mean()), "null_r": float(np.quantile(null, 0.95))}

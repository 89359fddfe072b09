"""Which independent components of one run come back in another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from nearid_core.align.groups import Paired, SignedPermutation
from nearid_core.align.spaces import Frame
from nearid_core.components import correlations

RETURNS = 0.9  # held-out |r| from which a component counts as coming back


def matched_components(
    reference: Frame, other: Frame, permutations: np.ndarray
) -> tuple[pd.DataFrame, dict[str, Any] | None]:
    """One row a component of the reference, and how well the unidentified blocks agree.

    Matching is by assignment on the fit rows, |r| is read on the held-out rows. ``null_r`` is the 95 percent point of
    |r| over row shuffles. Unidentified components are only defined as a block: its canonical correlations (principal
    angles) with the other run's block are found on the fit rows and read on the held-out rows.
    """
    a, b = reference.independent, other.independent
    assignment = SignedPermutation().fit_paired(Paired.of(b[0], a[0])).matrix_[:, : a[0].shape[1]]
    partner = np.where(np.abs(assignment).any(axis=0), np.abs(assignment).argmax(axis=0), -1)
    r = np.abs(correlations(a[1], b[1]))
    null = np.stack([np.abs(correlations(a[1], b[1][order])) for order in permutations])
    columns = np.arange(len(partner))
    known_a = reference.components.diagnostics["identified"].to_numpy()
    known_b = other.components.diagnostics["identified"].to_numpy()
    table = pd.DataFrame(
        {
            "component": columns,
            "matched": partner,
            "r": np.where(partner >= 0, r[columns, partner], 0.0),
            "null_r": np.where(partner >= 0, np.quantile(null, 0.95, axis=0)[columns, partner], 0.0),
            "identified": known_a,
            "identified_other": np.where(partner >= 0, known_b[partner], False),
        }
    )
    table["returns"] = (table["r"] >= RETURNS) & (table["r"] > table["null_r"])
    return table, _block(a, b, ~known_a, ~known_b)


def _block(
    a: tuple[np.ndarray, np.ndarray], b: tuple[np.ndarray, np.ndarray], in_a: np.ndarray, in_b: np.ndarray
) -> dict[str, Any] | None:
    if not in_a.any() or not in_b.any():
        return None
    u, _, vt = np.linalg.svd(a[0][:, in_a].T @ b[0][:, in_b], full_matrices=False)
    canonical_a, canonical_b = a[1][:, in_a] @ u, b[1][:, in_b] @ vt.T
    r = np.diag(correlations(canonical_a, canonical_b))
    return {
        "size": int(in_a.sum()),
        "size_other": int(in_b.sum()),
        "lowest_r": float(r.min()),
        "mean_r": float(r.mean()),
    }

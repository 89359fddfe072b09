"""Which independent components of one run come back in another."""

from __future__ import annotations

import numpy as np
import pandas as pd

from nearid_core.align.groups import Paired, SignedPermutation
from nearid_core.align.spaces import Frame
from nearid_core.components import BlockedRows, block_angles, correlations

RETURNS = 0.9  # held-out |r| from which a component counts as coming back


def matched_components(reference: Frame, other: Frame, permutations: np.ndarray) -> tuple[pd.DataFrame, pd.DataFrame]:
    """One row a component of the reference, and one a pair of blocks of unidentified ones; see `block_angles`.

    Matching is by assignment on the fit rows, |r| is read on the held-out rows. ``null_r`` is the 95 percent point of
    |r| over row shuffles.
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
    blocked_a, blocked_b = (BlockedRows(*of.independent, of.components.blocks) for of in (reference, other))
    return table, block_angles(blocked_a, blocked_b, permutations)

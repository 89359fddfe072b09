"""Blocks: sets of unidentified components of which only the subspace can be known."""

from __future__ import annotations

import numpy as np
import pandas as pd

MIXED = 0.1  # share of a refitted component's variance, about 1 - 0.95^2: that of a component that is not found again


def blocks_of(
    diagnostics: pd.DataFrame, gaussian: np.ndarray, dependent: np.ndarray, mixing: np.ndarray
) -> pd.DataFrame:
    """One row an unidentified component: ``component``, ``block`` (0, 1, ...), ``reason`` (of the block).

    diagnostics : with ``identified``. gaussian : (r,) bool, held-out contrast that cannot be told from a Gaussian's.
    dependent : (r, r) bool, significantly dependent or without preferred axes. mixing : (r, r), see `Refits`.

    Components share a block when they are linked by any chain of: both close to Gaussian, dependent on each other, or
    mixed by the refits. A reason is what is wrong with at least one component of the block.
    """
    from scipy.sparse.csgraph import connected_components

    members = np.flatnonzero(~diagnostics["identified"].to_numpy())
    among = np.ix_(members, members)
    gaussian, dependent, mixed = gaussian[members], dependent[among], mixing[among] > MIXED
    linked = np.outer(gaussian, gaussian) | dependent | mixed
    block = connected_components(linked, directed=False)[1] if len(members) else np.zeros(0, dtype=np.int32)
    reason = np.where(
        gaussian, "close to Gaussian", np.where(dependent.any(axis=1), "dependent on each other", "unstable")
    )
    table = pd.DataFrame({"component": members, "block": block.astype(np.int64), "reason": reason.astype(object)})
    reasons = table.groupby("block")["reason"].agg(lambda of: ", ".join(sorted(set(of))))
    table["reason"] = table["block"].map(reasons).astype(object)
    return table.sort_values(["block", "component"], ignore_index=True)

"""The chosen components, found again among those of other rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nearid_core.batches.fit_rows import FitRows
from nearid_core.batches.spaces import FittedSpace
from nearid_core.components import Components, correlations

KEPT = "kept"


def kept_space(components: Components, drop: Sequence[int], rows: FitRows) -> FittedSpace:
    """The space that is left of an ICA of these rows when the counterparts of the dropped components go.

    Fitted on the rows alone, so that rows which are not among them are unseen; only the choice of what to drop is
    carried over, each dropped component's counterpart being the one that correlates most with it (by assignment).
    """
    from scipy.optimize import linear_sum_assignment

    rotation = rows.ica_rotation
    values = rows.sampled
    here = rows.whitening.transform(values) @ rotation.T
    agreement = np.abs(correlations(components.transform(values)[:, list(drop)], here))
    _, gone = linear_sum_assignment(-agreement)
    stays = np.setdiff1d(np.arange(len(rotation)), gone)
    return FittedSpace(KEPT, lambda wanted: rows.white(wanted) @ rotation[stays].T)

"""Which components to drop unless the user says otherwise."""

from __future__ import annotations

import numpy as np

from nearid_core.batches.columns import Columns
from nearid_core.batches.removal import choosing
from nearid_core.batches.variance import one_way

MATERIAL = 0.1  # omega^2 of batch from which a component is worth dropping


def suggested(components: np.ndarray, columns: Columns) -> tuple[int, ...]:
    """Components with an omega^2 of batch of at least .1 that is above their omega^2 of biology.

    components : (n, r) of the rows to choose on, which are not those that the outcome is read on; columns : n rows.
    Batch is read on the controls where there are any, so that biology is not taken for it. At least one stays.
    """
    batch_omega2 = choosing(components, columns.batch.codes, columns.control).omega2
    biology = one_way(components, columns.label.codes).omega2 if columns.label is not None else 0.0
    chosen = (batch_omega2 >= MATERIAL) & (batch_omega2 > biology)
    if chosen.all():
        chosen[np.argmin(batch_omega2)] = False
    return tuple(int(number) for number in np.flatnonzero(chosen))

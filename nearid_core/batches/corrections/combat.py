"""ComBat: location and scale of every batch, shrunk towards those of all features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nearid_core.batches.corrections.correcting import CORRECTIONS, own_rows


@dataclass(frozen=True)
class Combat:
    """Sees all rows, without labels: batches that hold different labels lose biology with the batch.

    Source: Johnson, Li and Rabinovic, Biostatistics 2007.
    """

    name: str = "combat"
    title: str = "ComBat"
    description: str = "location and scale of each batch by empirical Bayes, on all rows (transductive)"
    transductive: bool = True

    def corrected(
        self, values: np.ndarray, batch: np.ndarray, control: np.ndarray | None, fit: np.ndarray
    ) -> np.ndarray:
        import pandas as pd
        from combatlearn import ComBat

        for one in np.unique(batch):
            own_rows(batch, None, one, self.title)
        data = np.asarray(values, dtype=np.float64)
        varies = data.std(axis=0) > 0
        result = np.zeros_like(data)
        frame = pd.DataFrame(data[:, varies])
        result[:, varies] = np.asarray(ComBat(batch=pd.Series(batch.astype(str))).fit_transform(frame))
        return result


COMBAT = CORRECTIONS.register(Combat())

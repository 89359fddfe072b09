"""Every batch brought to mean 0 and spread 1 of its own controls."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nearid_core.batches.corrections.correcting import CORRECTIONS, own_rows


@dataclass(frozen=True)
class Centring:
    """Without controls the means are of all rows of a batch, so a label that fills a batch goes with it."""

    name: str = "centring"
    title: str = "Centring"
    description: str = "each feature centred and scaled by its batch's controls"
    transductive: bool = False

    def corrected(
        self, values: np.ndarray, batch: np.ndarray, control: np.ndarray | None, fit: np.ndarray
    ) -> np.ndarray:
        result = np.asarray(values, dtype=np.float64).copy()
        for one in np.unique(batch):
            own = result[own_rows(batch, control, one, self.title)]
            spread = own.std(axis=0)
            inside = batch == one
            result[inside] = (result[inside] - own.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
        return result


CENTRING = CORRECTIONS.register(Centring())

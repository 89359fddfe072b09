"""Harmony: clusters that hold all batches, each batch moved onto them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nearid_core.batches.corrections.correcting import CORRECTIONS
from nearid_core.batches.fit_rows import COMPONENTS_MAX
from nearid_core.components import whiten
from nearid_core.errors import InvalidInput


@dataclass(frozen=True)
class Harmony:
    """On principal components, as its authors do. Source: Korsunsky et al., Nature Methods 2019."""

    name: str = "harmony"
    title: str = "Harmony"
    description: str = "soft clusters of principal components, corrected towards each other (transductive; an extra)"
    transductive: bool = True

    def corrected(
        self, values: np.ndarray, batch: np.ndarray, control: np.ndarray | None, fit: np.ndarray
    ) -> np.ndarray:
        try:
            from harmonypy import run_harmony
        except ModuleNotFoundError:
            raise InvalidInput(
                "Harmony is not installed (its licence is GPL-3); pip install harmonypy, and it is there."
            ) from None
        import pandas as pd

        whitening = whiten(values, COMPONENTS_MAX, standardise=True)
        components = whitening.transform(values) * np.sqrt(whitening.eigenvalues)
        found = run_harmony(components, pd.DataFrame({"batch": batch.astype(str)}), ["batch"], verbose=False)
        result = np.asarray(found.Z_corr, dtype=np.float64)
        return result if result.shape == components.shape else result.T  # its orientation differs between versions


HARMONY = CORRECTIONS.register(Harmony())

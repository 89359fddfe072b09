"""Typical variation normalisation: what varies among controls is made even, then the same in every batch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nearid_core.batches.corrections.correcting import CORRECTIONS, own_rows
from nearid_core.batches.fit_rows import COMPONENTS_MAX
from nearid_core.components import whiten


@dataclass(frozen=True)
class Tvn:
    """PCA-whitening on the controls, then CORAL: each batch's control covariance coloured as that of all controls.

    Source: Ando, McLean and Berndl, bioRxiv 161422, 2017; Sun, Feng and Saenko, AAAI 2016 (CORAL). Covariances are
    shrunk (Ledoit and Wolf 2004), since a batch has fewer controls than there are components.
    """

    name: str = "tvn"
    title: str = "TVN"
    description: str = "whitened on controls, then the covariance of each batch's controls aligned (CORAL)"
    transductive: bool = False

    def corrected(
        self, values: np.ndarray, batch: np.ndarray, control: np.ndarray | None, fit: np.ndarray
    ) -> np.ndarray:
        reference = fit if control is None else fit[control[fit]]
        whitening = whiten(values[reference], COMPONENTS_MAX, standardise=True, name="The controls of the fit rows")
        white = whitening.transform(values)
        target = _root(_covariance(white[reference]))
        for one in np.unique(batch):
            own = white[own_rows(batch, control, one, self.title)]
            inside = batch == one
            white[inside] = (white[inside] - own.mean(axis=0)) @ _root(_covariance(own), -0.5) @ target
        return white


def _covariance(rows: np.ndarray) -> np.ndarray:
    from sklearn.covariance import ledoit_wolf

    return ledoit_wolf(rows)[0]


def _root(covariance: np.ndarray, power: float = 0.5) -> np.ndarray:
    values, vectors = np.linalg.eigh(covariance)
    return (vectors * values**power) @ vectors.T


TVN = CORRECTIONS.register(Tvn())

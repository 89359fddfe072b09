"""Samples on a plane before and after components are dropped: by PCA at once, by UMAP when it is asked for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nearid_core.batches.correction import ComponentRemoval
from nearid_core.components import whiten
from nearid_core.components.sampling import drawn

MAX_POINTS = 5_000
_NEIGHBOURS = 30


@dataclass(frozen=True, eq=False)
class Planes:
    """rows : (n,) positions of the samples shown; before, after : (n, 2)."""

    rows: np.ndarray
    before: np.ndarray
    after: np.ndarray


def pca_planes(values: np.ndarray, removal: ComponentRemoval, seed: int = 0) -> Planes:
    """The first two principal components of the components, all of them and those kept, each turned on its own.

    Components have unit variance, so the leading directions would be arbitrary; they are scaled back by what they add
    to the standardised features.
    """
    rows = drawn(np.arange(len(values)), MAX_POINTS, seed)
    scaled = _scaled(values[rows], removal)
    kept = scaled[:, removal.kept]
    return Planes(rows, _leading_two(scaled), _leading_two(kept))


def umap_planes(values: np.ndarray, removal: ComponentRemoval, seed: int = 0) -> Planes:
    """The same by UMAP (McInnes et al. 2018): distances within a cluster mean something, those between do not."""
    import warnings

    from umap import UMAP

    rows = drawn(np.arange(len(values)), MAX_POINTS, seed)
    found = removal.components.transform(values[rows])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a fixed seed takes one thread, which is what is wanted
        planes = [
            UMAP(n_neighbors=min(_NEIGHBOURS, len(rows) - 1), random_state=seed).fit_transform(coordinates)
            for coordinates in (found, found[:, removal.kept])
        ]
    return Planes(rows, planes[0].astype(np.float64), planes[1].astype(np.float64))


def _scaled(values: np.ndarray, removal: ComponentRemoval) -> np.ndarray:
    mixing = removal.components.mixing
    scale = removal.components.whitening.scale
    loadings = mixing if scale is None else mixing / scale[:, None]
    return removal.components.transform(values) * np.linalg.norm(loadings, axis=0)


def _leading_two(values: np.ndarray) -> np.ndarray:
    if values.shape[1] == 1:
        return np.hstack([values, np.zeros_like(values)])
    whitening = whiten(values, 2)
    plane = whitening.transform(values) * np.sqrt(whitening.eigenvalues)
    return plane if plane.shape[1] == 2 else np.hstack([plane, np.zeros((len(plane), 1))])

"""The nearest neighbours that the graph scores share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

NEIGHBOURS = 90  # for every score, which is not what scib's own benchmark takes (90, 50 and 15)


@dataclass(frozen=True, eq=False)
class Neighbours:
    """indices, distances : (n, k); the first neighbour of a row is the row itself, as scib counts."""

    indices: np.ndarray
    distances: np.ndarray

    @property
    def k(self) -> int:
        return self.indices.shape[1]


def nearest(values: np.ndarray, k: int = NEIGHBOURS) -> Neighbours:
    """The k nearest rows of each row by Euclidean distance, exactly; fewer where there are no k rows."""
    from sklearn.neighbors import NearestNeighbors

    k = min(k, len(values))
    distances, indices = NearestNeighbors(n_neighbors=k, algorithm="brute").fit(values).kneighbors(values)
    own = np.arange(len(values))
    for row in np.flatnonzero(indices[:, 0] != own):  # a duplicate came first
        place = np.flatnonzero(indices[row] == row)
        indices[row, place[0] if len(place) else -1] = indices[row, 0]
        indices[row, 0] = row
    return Neighbours(indices, distances)

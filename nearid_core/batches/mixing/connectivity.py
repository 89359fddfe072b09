"""Whether the samples of one label hang together."""

from __future__ import annotations

import numpy as np

from nearid_core.batches.mixing.neighbours import Neighbours


def graph_connectivity(neighbours: Neighbours, label: np.ndarray) -> float:
    """Mean over labels of the share of their samples in the largest strongly connected part of their own subgraph.

    1 is every label in one piece. Source: Luecken et al., Nature Methods 2022.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    n, k = neighbours.indices.shape
    graph = csr_array((np.ones(n * k), (np.repeat(np.arange(n), k), neighbours.indices.ravel())), shape=(n, n))
    shares = []
    for one in np.unique(label):
        rows = np.flatnonzero(label == one)
        _, part = connected_components(graph[rows][:, rows], connection="strong")
        shares.append(np.bincount(part).max() / len(rows))
    return float(np.mean(shares))

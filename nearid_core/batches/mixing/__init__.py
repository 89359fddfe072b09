"""How far batches are mixed and labels kept apart, as scib defines it; one file a measure.

All of them rest on distances, so no rotation of whitened coordinates changes any: they cannot tell ICA from PCA.
"""

from nearid_core.batches.mixing.connectivity import graph_connectivity
from nearid_core.batches.mixing.ilisi import ilisi
from nearid_core.batches.mixing.kbet import kbet
from nearid_core.batches.mixing.neighbours import Neighbours, nearest
from nearid_core.batches.mixing.pcr import principal_component_regression
from nearid_core.batches.mixing.scores import mixing_scores
from nearid_core.batches.mixing.silhouette import silhouette_batch, silhouette_label

__all__ = [
    "Neighbours",
    "graph_connectivity",
    "ilisi",
    "kbet",
    "mixing_scores",
    "nearest",
    "principal_component_regression",
    "silhouette_batch",
    "silhouette_label",
]

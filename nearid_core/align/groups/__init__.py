"""Groups of transformations, from the tightest to the loosest."""

from nearid_core.align.groups.base import Alignment, Paired, pad
from nearid_core.align.groups.identity import Identity
from nearid_core.align.groups.linear import Linear
from nearid_core.align.groups.orthogonal import Rigid, Similarity
from nearid_core.align.groups.permutation import Permutation, SignedPermutation

__all__ = [
    "Alignment",
    "Identity",
    "Linear",
    "Paired",
    "Permutation",
    "Rigid",
    "SignedPermutation",
    "Similarity",
    "pad",
]

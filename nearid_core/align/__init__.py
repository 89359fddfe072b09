"""Alignment of representations across runs.

Reading a result is light; what computes one is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nearid_core.align.comparison import GROUPS, SPACES, Comparison
from nearid_core.align.lookup import cached
from nearid_core.lazy import loader

if TYPE_CHECKING:
    from nearid_core.align.diameters import diameter
    from nearid_core.align.errors_table import efficiency_of_means
    from nearid_core.align.groups import Identity, Linear, Permutation, Rigid, SignedPermutation, Similarity
    from nearid_core.align.pairwise import compare

_HOMES = {
    "diameters": ("diameter",),
    "errors_table": ("efficiency_of_means",),
    "groups": (
        "Identity",
        "Linear",
        "Permutation",
        "Rigid",
        "SignedPermutation",
        "Similarity",
    ),
    "pairwise": ("compare",),
}

__all__ = [
    "GROUPS",
    "SPACES",
    "Comparison",
    "Identity",
    "Linear",
    "Permutation",
    "Rigid",
    "SignedPermutation",
    "Similarity",
    "cached",
    "compare",
    "diameter",
    "efficiency_of_means",
]


__getattr__ = loader(__name__, _HOMES)

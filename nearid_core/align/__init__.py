"""Alignment of representations across runs.

Reading a result is light; what computes one is loaded when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from nearid_core.align.comparison import GROUPS, SPACES, Comparison
from nearid_core.align.lookup import cached

if TYPE_CHECKING:
    from nearid_core.align.diameters import diameter
    from nearid_core.align.errors_table import efficiency_of_means
    from nearid_core.align.groups import Identity, Linear, Permutation, Rigid, SignedPermutation, Similarity
    from nearid_core.align.pairwise import compare

_HOMES = {
    "compare": "pairwise",
    "diameter": "diameters",
    "efficiency_of_means": "errors_table",
    **dict.fromkeys(("Identity", "Linear", "Permutation", "Rigid", "SignedPermutation", "Similarity"), "groups"),
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


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"nearid_core.align.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'nearid_core.align' has no attribute {name!r}")

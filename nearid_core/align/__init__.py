"""Alignment of representations across runs.

Reading a result is light; what computes one is loaded when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from nearid_core.align.cached import cached
from nearid_core.align.comparison import GROUPS, SPACES, Comparison

if TYPE_CHECKING:
    from nearid_core.align.compare import compare
    from nearid_core.align.diameter import diameter
    from nearid_core.align.errors_table import efficiency_of_means
    from nearid_core.align.groups import Identity, Linear, Permutation, Rigid, SignedPermutation, Similarity

_HOMES = {
    "compare": "compare",
    "diameter": "diameter",
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
        home = importlib.import_module(f"nearid_core.align.{_HOMES[name]}")
        # importing a submodule of the same name sets the module here: put the function in its place
        globals()[name] = getattr(home, name)
        return globals()[name]
    raise AttributeError(f"module 'nearid_core.align' has no attribute {name!r}")

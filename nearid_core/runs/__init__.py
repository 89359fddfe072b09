"""Runs, and the store that keeps them.

Loaded when first used: a job that waits in line needs `runs.claim`, and neither pandas nor numpy.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nearid_core.runs.representation import Representation
    from nearid_core.runs.run import Run, RunSet, common_layer
    from nearid_core.runs.store import RunStore, Unfinished, default_store
    from nearid_core.runs.writer import RunWriter

__all__ = ["Representation", "Run", "RunSet", "RunStore", "RunWriter", "Unfinished", "common_layer", "default_store"]

_HOMES = {
    "Representation": "representation",
    "Run": "run",
    "RunSet": "run",
    "common_layer": "run",
    "RunStore": "store",
    "Unfinished": "store",
    "default_store": "store",
    "RunWriter": "writer",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"nearid_core.runs.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'nearid_core.runs' has no attribute {name!r}")

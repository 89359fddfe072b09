"""Runs, and the store that keeps them."""

from nearid_core.runs.representation import Representation
from nearid_core.runs.run import Run, RunSet, common_layer
from nearid_core.runs.store import RunStore, Unfinished, default_store
from nearid_core.runs.writer import RunWriter

__all__ = ["Representation", "Run", "RunSet", "RunStore", "RunWriter", "Unfinished", "common_layer", "default_store"]

"""Importing files that are too large for a page to wait for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nearid_core.errors import InvalidInput
from nearid_core.jobs.kinds.kind import JOB_KINDS, check_keys
from nearid_core.progress import ProgressCallback


class ImportKind:
    """Request: store (path), paths (of the files, side tables aside), mapping (as TOML).

    Result: runs (ids), set. Files that were uploaded into the store are removed once they are in it.
    """

    name = "import"
    description = "Import files as runs."

    def check(self, request: Mapping[str, Any]) -> dict[str, Any]:
        from nearid_core.exchange.mapping_toml import mapping_from_toml
        from nearid_core.runs import RunStore

        check_keys(request, self.name, ("store", "paths", "mapping"), ())
        store = RunStore(request["store"])
        if not store.writable:
            raise InvalidInput(f"The store {store.path} cannot be written; choose another folder.")
        mapping_from_toml(request["mapping"])
        absent = [path for path in request["paths"] if not Path(path).exists()]
        if absent:
            raise InvalidInput(f"There is no file {absent[0]}; it was moved or removed.")
        return {**request, "store": str(store.path), "paths": [str(Path(path).absolute()) for path in request["paths"]]}

    def run(self, request: Mapping[str, Any], on_progress: ProgressCallback) -> dict[str, Any]:
        from nearid_core.exchange import import_runs
        from nearid_core.exchange.mapping_toml import mapping_from_toml
        from nearid_core.runs import RunStore, uploads

        store, paths = RunStore(request["store"]), [Path(path) for path in request["paths"]]
        runs = import_runs(paths, store, mapping=mapping_from_toml(request["mapping"]), on_progress=on_progress)
        uploads.discard(store, paths)
        return {"runs": [run.id for run in runs], "set": runs[0].set_id}


IMPORT = JOB_KINDS.register(ImportKind())

"""Independent components of runs of which no factor is known; they lie in the cache of results."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from nearid_core.jobs.kinds.kind import JOB_KINDS, check_keys
from nearid_core.progress import Progress, ProgressCallback


class ComponentsKind:
    """Request: store (path), runs (ids), and optionally layer. Result: identified, how many of all components are."""

    name = "components"
    description = "Fit the independent components of a layer, run by run."

    def check(self, request: Mapping[str, Any]) -> dict[str, Any]:
        from nearid_core.components.of_run import content
        from nearid_core.errors import InvalidInput
        from nearid_core.runs import RunStore, common_layer

        check_keys(request, self.name, ("store", "runs"), ("layer",))
        store = RunStore(request["store"])
        runs = [store.get(run_id) for run_id in request["runs"]]
        if not runs:
            raise InvalidInput("Components are those of a run or more; found none.")
        layer = request.get("layer") or common_layer(runs)
        for run in runs:
            content(run, layer)  # the layer is there
        return {**request, "layer": layer}

    def run(self, request: Mapping[str, Any], on_progress: ProgressCallback) -> dict[str, Any]:
        from nearid_core.factors.of_run import live_components
        from nearid_core.runs import RunStore

        store, ids, began = RunStore(request["store"]), request["runs"], time.monotonic()
        found, total = 0, 0
        for place, run_id in enumerate(ids):
            on_progress(Progress(f"Components of {run_id}", place, len(ids), time.monotonic() - began))
            fitted = live_components(store.get(run_id), request["layer"])
            found += int(fitted.diagnostics["identified"].sum())
            total += fitted.rank
        on_progress(Progress("done", len(ids), len(ids), time.monotonic() - began))
        return {"identified": f"{found} of {total}"}


COMPONENTS = JOB_KINDS.register(ComponentsKind())

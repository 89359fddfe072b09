"""Factor reports of runs; what comes out lies in the cache of results, where the page finds it at once."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from nearid_core.jobs.kinds.kind import JOB_KINDS, check_keys
from nearid_core.progress import Progress, ProgressCallback


class FactorsKind:
    """Request: store (path), runs (ids), and, all optional, layer and settings as `nearid_core.factors.Settings`.

    Result: verdict. The reports themselves are cached on disk.
    """

    name = "factors"
    description = "Hold the components of a layer against known factors, run by run."

    def check(self, request: Mapping[str, Any]) -> dict[str, Any]:
        from nearid_core.components.of_run import content
        from nearid_core.errors import InvalidInput
        from nearid_core.factors import Settings, settings_of
        from nearid_core.runs import RunStore, common_layer

        check_keys(request, self.name, ("store", "runs"), ("layer", "settings"))
        store = RunStore(request["store"])
        runs = [store.get(run_id) for run_id in request["runs"]]
        if not runs:
            raise InvalidInput("A factor report needs a run or more; found none.")
        layer = request.get("layer") or common_layer(runs)
        given = request.get("settings")
        settings = settings_of(runs[0]) if given is None else Settings.from_dict(given)
        for run in runs:
            content(run, layer)  # the layer is there
            settings_of(run, settings.factors)  # the columns are
        return {**request, "layer": layer, "settings": settings.to_dict()}

    def run(self, request: Mapping[str, Any], on_progress: ProgressCallback) -> dict[str, Any]:
        from nearid_core.factors import SeedReports, Settings
        from nearid_core.factors.of_run import report_of_run
        from nearid_core.runs import RunStore

        store, settings = RunStore(request["store"]), Settings.from_dict(request["settings"])
        ids, began, reports = request["runs"], time.monotonic(), {}
        for place, run_id in enumerate(ids):

            def tell(inner: Progress, place: int = place, run_id: str = run_id) -> None:
                done = int(1000 * (place + inner.fraction))
                what = f"{run_id}: {inner.what}"
                on_progress(Progress(what, done, 1000 * len(ids), time.monotonic() - began))

            reports[run_id] = report_of_run(store.get(run_id), request["layer"], settings, on_progress=tell)
        return {"verdict": SeedReports(reports).verdict}


FACTORS = JOB_KINDS.register(FactorsKind())

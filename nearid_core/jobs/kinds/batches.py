"""A batch report; what comes out lies in the cache of results, where the page finds it at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nearid_core.jobs.kinds.kind import JOB_KINDS, check_keys
from nearid_core.progress import ProgressCallback


class BatchesKind:
    """Request: store (path), run (id), and, all optional, layer and settings as `nearid_core.batch_report` takes them.

    Result: verdict. The report itself is cached on disk.
    """

    name = "batches"
    description = "Tell batch from biology in one layer of a run."

    def check(self, request: Mapping[str, Any]) -> dict[str, Any]:
        from nearid_core.batches import settings_of
        from nearid_core.batches.corrected_spaces import SPACES
        from nearid_core.batches.of_run import report_key
        from nearid_core.runs import RunStore, common_layer

        check_keys(request, self.name, ("store", "run"), ("layer", "settings"))
        run = RunStore(request["store"]).get(request["run"])
        settings = settings_of(run, **(request.get("settings") or {}))
        layer = request.get("layer") or common_layer([run])
        report_key(run, layer, settings)  # the layer is there
        settings.columns(run.samples)
        for space in settings.spaces:
            SPACES[space]
        return {**request, "layer": layer, "settings": settings.to_dict()}

    def run(self, request: Mapping[str, Any], on_progress: ProgressCallback) -> dict[str, Any]:
        from nearid_core.batches import Settings, report_of_run
        from nearid_core.runs import RunStore

        run = RunStore(request["store"]).get(request["run"])
        report = report_of_run(run, request["layer"], Settings.from_dict(request["settings"]), on_progress=on_progress)
        return {"verdict": report.verdict}


BATCHES = JOB_KINDS.register(BatchesKind())

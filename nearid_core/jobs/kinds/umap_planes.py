"""UMAP before and after components are dropped; what comes out lies in the cache of results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nearid_core.jobs.kinds.batches import BATCHES
from nearid_core.jobs.kinds.kind import JOB_KINDS
from nearid_core.progress import Progress, ProgressCallback


class UmapKind:
    """Request: as that of a batch report, whose components and dropped set it takes.

    Result: points, how many samples are shown.
    """

    name = "umap"
    description = "Lay a table out by UMAP, before and after components are dropped."

    def check(self, request: Mapping[str, Any]) -> dict[str, Any]:
        return BATCHES.check(request)

    def run(self, request: Mapping[str, Any], on_progress: ProgressCallback) -> dict[str, Any]:
        from nearid_core.batches import Settings, report_of_run
        from nearid_core.batches.of_run import umap_of_run
        from nearid_core.runs import RunStore

        run = RunStore(request["store"]).get(request["run"])
        settings = Settings.from_dict(request["settings"])
        report = report_of_run(run, request["layer"], settings, on_progress=on_progress)
        on_progress(Progress("Laying out twice by UMAP", 0, 1, 0.0))
        planes = umap_of_run(run, request["layer"], settings, report)
        return {"points": len(planes.rows)}


UMAP = JOB_KINDS.register(UmapKind())

"""Comparing runs; what comes out lies in the cache of results, where the page finds it at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from nearid_core.errors import InvalidInput
from nearid_core.jobs.kinds.kind import JOB_KINDS, check_keys
from nearid_core.progress import ProgressCallback
from nearid_core.registry import unknown

if TYPE_CHECKING:
    from nearid_core.runs import Run


_SETTINGS = ("groups", "samples", "label", "split_seed")


class CompareKind:
    """Request: store (path, or a list of them), runs (ids, each looked up in the first store that has it), and, all
    optional, layer, groups, samples, label and split_seed as `nearid_core.compare` takes them.

    Result: verdict. The comparison itself is cached on disk: the same call of `compare` then returns at once.
    """

    name = "compare"
    description = "Compare one layer across runs."

    def check(self, request: Mapping[str, Any]) -> dict[str, Any]:
        from nearid_core.align import GROUPS
        from nearid_core.runs import common_layer

        check_keys(request, self.name, ("store", "runs"), ("layer", *_SETTINGS))
        runs = _find(request)
        layer = request.get("layer") or common_layer(runs)
        for run in runs:
            if layer not in run.layers:
                raise InvalidInput(f"Run {run.id} has no layer {layer!r}; it has {', '.join(run.layers) or 'none'}.")
        for group in request.get("groups") or ():
            if group not in GROUPS:
                raise InvalidInput(unknown("transformation group", group, GROUPS))
        return {**request, "layer": layer}

    def run(self, request: Mapping[str, Any], on_progress: ProgressCallback) -> dict[str, Any]:
        from nearid_core.align import compare

        settings = {key: request[key] for key in _SETTINGS if request.get(key) is not None}
        comparison = compare(_find(request), request["layer"], on_progress=on_progress, **settings)
        return {"verdict": comparison.verdict}


def _find(request: Mapping[str, Any]) -> list[Run]:
    """The runs that the request names. Raises InvalidInput for fewer than two, or one that no store has."""
    from nearid_core.runs import RunStore

    paths = request["store"] if isinstance(request["store"], list) else [request["store"]]
    stores = [RunStore(path) for path in paths]
    ids = request["runs"]
    if not isinstance(ids, list) or len(set(ids)) < 2:
        raise InvalidInput(f"The runs are {ids!r}; expected a list of two run ids or more.")
    return [next((store for store in stores if run_id in store), stores[0]).get(run_id) for run_id in ids]


COMPARE = JOB_KINDS.register(CompareKind())

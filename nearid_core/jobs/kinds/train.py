"""Training some seeds of one configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nearid_core.errors import InvalidInput
from nearid_core.jobs.kinds.kind import JOB_KINDS, check_keys
from nearid_core.progress import ProgressCallback


class TrainKind:
    """Request: config (`TrainConfig.to_dict`), seeds (whole numbers), store (path), device ("auto", "cpu", "cuda").

    Result: runs (ids of those that are whole), failed (id to reason).
    """

    name = "train"
    description = "Train some seeds of one configuration."

    def check(self, request: Mapping[str, Any]) -> dict[str, Any]:
        from nearid_core.runs import RunStore
        from nearid_core.training import TrainConfig

        check_keys(request, self.name, ("config", "seeds", "store"), ("device",))
        if not isinstance(request["config"], dict):
            raise InvalidInput("The config of a train request is not a mapping; expected TrainConfig.to_dict().")
        config = TrainConfig.from_dict(request["config"])
        store = RunStore(request["store"])
        if not store.writable:
            raise InvalidInput(f"The store {store.path} cannot be written; choose another folder.")
        return {
            "config": config.to_dict(),
            "seeds": _seeds(request["seeds"]),
            "store": str(store.path),
            "device": request.get("device", "auto"),
        }

    def run(self, request: Mapping[str, Any], on_progress: ProgressCallback) -> dict[str, Any]:
        from nearid_core.runs import RunStore
        from nearid_core.training import TrainConfig, train

        runs = train(
            TrainConfig.from_dict(request["config"]),
            request["seeds"],
            RunStore(request["store"]),
            device=request["device"],
            on_progress=on_progress,
        )
        return {
            "runs": [run.id for run in runs if run.status == "done"],
            "failed": {run.id: run.reason for run in runs if run.status != "done"},
        }


def _seeds(seeds: Any) -> list[int]:
    if not isinstance(seeds, list) or not seeds or not all(type(seed) is int and seed >= 0 for seed in seeds):
        raise InvalidInput(f"The seeds are {seeds!r}; expected a list of whole numbers, 0 or more.")
    return sorted(set(seeds))


TRAIN = JOB_KINDS.register(TrainKind())

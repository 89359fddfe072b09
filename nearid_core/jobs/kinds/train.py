"""Training some seeds of one configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nearid_core.errors import InvalidInput
from nearid_core.jobs.kinds.kind import JOB_KINDS, check_keys
from nearid_core.progress import ProgressCallback
from nearid_core.registry import unknown


class TrainKind:
    """Request: config (`TrainConfig.to_dict`), seeds ("0-7", or a list), store (path), and, both optional, device
    ("auto", "cpu", "cuda") and layers (those to keep; null keeps all).

    Result: runs (ids of those that are whole), failed (id to reason).
    """

    name = "train"
    description = "Train some seeds of one configuration."

    def check(self, request: Mapping[str, Any]) -> dict[str, Any]:
        from nearid_core.runs import RunStore
        from nearid_core.training import TrainConfig
        from nearid_core.training.plan import DEVICES
        from nearid_core.training.seeds import parse_seeds

        check_keys(request, self.name, ("config", "seeds", "store"), ("device", "layers"))
        if not isinstance(request["config"], dict):
            raise InvalidInput("The config of a train request is not a mapping; expected TrainConfig.to_dict().")
        config = TrainConfig.from_dict(request["config"])
        store = RunStore(request["store"])
        device = request.get("device", "auto")
        if device not in DEVICES:
            raise InvalidInput(unknown("device", device, DEVICES))
        if not store.writable:
            raise InvalidInput(f"The store {store.path} cannot be written; choose another folder.")
        return {
            "config": config.to_dict(),
            "seeds": parse_seeds(request["seeds"]),
            "store": str(store.path),
            "device": device,
            "layers": request.get("layers"),
        }

    def run(self, request: Mapping[str, Any], on_progress: ProgressCallback) -> dict[str, Any]:
        from nearid_core.runs import RunStore
        from nearid_core.training import TrainConfig, train

        runs = train(
            TrainConfig.from_dict(request["config"]),
            request["seeds"],
            RunStore(request["store"]),
            device=request["device"],
            layers=request["layers"],
            on_progress=on_progress,
        )
        return {
            "runs": [run.id for run in runs if run.status == "done"],
            "failed": {run.id: run.reason for run in runs if run.status != "done"},
        }


TRAIN = JOB_KINDS.register(TrainKind())

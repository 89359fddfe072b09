"""Writing one run: beside the store's runs until it is whole, then in one rename among them."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import pandas as pd

from nearid_core.digest import array_digest, file_digest
from nearid_core.errors import InvalidInput
from nearid_core.runs import claim
from nearid_core.runs.atomic import sync, write_text
from nearid_core.runs.run import FEATURES, HISTORY, RECORD, REPRESENTATIONS, SAMPLES, SCHEMA, WEIGHTS, Run
from nearid_core.runs.safetensors_file import write_safetensors


class RunWriter:
    """A claimed, unfinished run. As a context manager it lets go of the claim at the end; a run that was not finished
    can be resumed from its checkpoint, and leaves nothing behind where there is none.

    folder : where to keep progress until then; it is gone when the run is whole.
    checkpoint : the file in it to resume from.
    """

    FOLDER = ".partial"
    REQUEST = "request.json"
    PROGRESS = "progress.jsonl"
    CHECKPOINT = "checkpoint.safetensors"

    def __init__(self, store: Path, run_id: str) -> None:
        self.store, self.run_id = store, run_id
        self.folder = store / self.FOLDER / run_id
        self.checkpoint = self.folder / self.CHECKPOINT
        self._held = False

    @classmethod
    def claim(cls, store: Path, run_id: str, request: dict[str, Any]) -> RunWriter:
        writer = cls(store, run_id)
        if not claim.take(writer.folder):
            raise InvalidInput(
                f"Run {run_id} is being written by {claim.holder(writer.folder)}; wait for it or stop it."
            )
        writer._held = True
        write_text(writer.folder / cls.REQUEST, json.dumps(request))
        return writer

    def __enter__(self) -> RunWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def release(self) -> None:
        """Let go of a run that is not finished; what there is to resume from stays."""
        if not self._held:
            return
        self._held = False
        if self.checkpoint.exists():
            claim.release(self.folder)
        else:
            claim.clear(self.folder)

    def heartbeat(self) -> None:
        if self._held:
            claim.touch(self.folder)

    def log(self, entry: Mapping[str, Any]) -> None:
        """Append one line to progress.jsonl."""
        with (self.folder / self.PROGRESS).open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")

    def rewind(self, step: int) -> None:
        """Forget what progress.jsonl says of later steps, which a training resumed at `step` takes again."""
        path = self.folder / self.PROGRESS
        if path.exists():
            kept = [line for line in path.read_text("utf-8").splitlines() if _step(line) <= step]
            write_text(path, "".join(f"{line}\n" for line in kept))

    def finish(
        self,
        record: Mapping[str, Any],
        *,
        samples: pd.DataFrame | None = None,
        layers: Mapping[str, np.ndarray] | None = None,
        weights: Mapping[str, np.ndarray] | None = None,
        history: pd.DataFrame | None = None,
        features: pd.DataFrame | None = None,
    ) -> Run:
        """Write the run and put it in the store, replacing a failed one of the same id; see `prepare`."""
        self.prepare(record, samples=samples, layers=layers, weights=weights, history=history, features=features)
        return self.publish()

    def prepare(
        self,
        record: Mapping[str, Any],
        *,
        samples: pd.DataFrame | None = None,
        layers: Mapping[str, np.ndarray] | None = None,
        weights: Mapping[str, np.ndarray] | None = None,
        history: pd.DataFrame | None = None,
        features: pd.DataFrame | None = None,
    ) -> None:
        """Write the run beside the store's, for `publish` to put it among them: several are so published together.

        record : id, set, seed, status, dataset and the rest of what `Run` reads; layers and files are added here.
        samples : N rows with ``sample_id``; layers : name to (N, D), copied in blocks, so that a memory map is never
            held in memory; features : the names of the columns of layers that have them (layer, position, feature).
        """
        whole = self.folder / "whole"
        shutil.rmtree(whole, ignore_errors=True)
        whole.mkdir()
        if samples is not None:
            samples.to_parquet(whole / SAMPLES, index=False)
        if history is not None:
            history.to_parquet(whole / HISTORY, index=False)
        if features is not None:
            features.to_parquet(whole / FEATURES, index=False)
        for name, arrays in ((REPRESENTATIONS, layers), (WEIGHTS, weights)):
            if arrays is not None:
                write_safetensors(whole / name, arrays)
        if (self.folder / self.PROGRESS).exists():
            shutil.copyfile(self.folder / self.PROGRESS, whole / self.PROGRESS)
        described = {
            name: {"shape": list(values.shape), "dtype": str(values.dtype), "digest": array_digest(values)}
            for name, values in (layers or {}).items()
        }
        files = {
            path.name: {"bytes": path.stat().st_size, "digest": file_digest(path)} for path in sorted(whole.iterdir())
        }
        complete = {"schema": SCHEMA, **record, "layers": described, "files": files}
        write_text(whole / RECORD, json.dumps(complete, indent=1))

    def publish(self, whole: Path | None = None) -> Run:
        """Put the run that `prepare` wrote, or the folder `whole` beside it, in the store, in one rename."""
        whole = whole or self.folder / "whole"
        for path in (*whole.iterdir(), whole):
            sync(path)
        target = self.store / self.run_id
        if target.exists():
            if Run(target).status == "done":
                raise InvalidInput(f"Run {self.run_id} is in the store already; delete it first.")
            shutil.rmtree(target)
        whole.rename(target)
        sync(self.store)
        self._held = False
        claim.clear(self.folder)
        return Run(target)


def _step(line: str) -> float:
    """The step of a line of progress; of one that was cut off in writing, later than all."""
    try:
        return json.loads(line)["step"]
    except (ValueError, KeyError, TypeError):
        return math.inf

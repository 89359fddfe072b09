"""One trained or imported model, as it lies on disk."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from nearid_core.errors import CorruptRun, InvalidInput, UnsupportedFormat
from nearid_core.registry import unknown
from nearid_core.runs.representation import Representation

if TYPE_CHECKING:
    from nearid_core.training.config import TrainConfig

SCHEMA = 1
RECORD = "run.json"
NOTES = "notes.json"
REPRESENTATIONS = "representations.safetensors"
WEIGHTS = "weights.safetensors"
SAMPLES = "samples.parquet"
HISTORY = "history.parquet"
FEATURES = "features.parquet"
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")  # of a run or a set: a folder's name on every system

_REQUIRED = ("schema", "id", "set", "seed", "status", "dataset", "layers", "files")
_DTYPES = {"F16": "<f2", "F32": "<f4", "F64": "<f8", "I8": "i1", "I16": "<i2", "I32": "<i4", "I64": "<i8", "U8": "u1"}
_LARGEST_HEADER = 1 << 24


class Run:
    """A run folder. Listing one reads only its record; arrays are memory-mapped when asked for.

    id, set_id, title (of the set), seed, status ("done" or "failed"), reason (of a failure), dataset (name, digest,
    label, factors), metrics, versions, plan (how it was executed), created (ISO 8601, UTC), seconds.

    Raises CorruptRun where the folder is not what its record says, UnsupportedFormat for a newer schema.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.record = _read_record(path)
        self.id: str = self.record["id"]
        self.set_id: str = self.record["set"]
        self.title: str = self.record.get("title", self.set_id)
        self.seed: int | None = self.record["seed"]
        self.status: str = self.record["status"]
        self.reason: str | None = self.record.get("reason")
        self.dataset: dict[str, Any] = self.record["dataset"]
        self.metrics: dict[str, float] = self.record.get("metrics", {})
        self.plan: dict[str, Any] = self.record.get("plan", {})
        self.versions: dict[str, str] = self.record.get("versions", {})
        self.created: str = self.record.get("created", "")
        self.seconds: float = self.record.get("seconds", math.nan)

    def __repr__(self) -> str:
        return f"Run({self.id!r}, {self.status}, layers={self.layers})"

    @cached_property
    def config(self) -> TrainConfig | None:
        """How it was trained; None for a run that came from elsewhere."""
        from nearid_core.training.config import TrainConfig

        stored = self.record.get("config")
        return None if stored is None else TrainConfig.from_dict(stored)

    @property
    def layers(self) -> list[str]:
        return list(self.record["layers"])

    @property
    def label(self) -> str | None:
        """The column of `samples` with the class of each, where there is one."""
        return self.dataset.get("label")

    @cached_property
    def samples(self) -> pd.DataFrame:
        """One row a sample, in the order of the representations' rows."""
        return pd.read_parquet(self._checked(SAMPLES))

    @cached_property
    def history(self) -> pd.DataFrame:
        """One row an epoch: epoch, step, loss, seconds."""
        return pd.read_parquet(self._checked(HISTORY))

    def feature_names(self, layer: str) -> list[str] | None:
        """What the columns of a layer were called where it came from; None where they have no names."""
        if FEATURES not in self.record["files"]:
            return None
        table = pd.read_parquet(self.path / FEATURES)
        names = table.loc[table["layer"] == layer].sort_values("position")["feature"]
        return list(names) or None

    @property
    def is_table(self) -> bool:
        """Whether it is an imported table and no run of a model: seed and layer then mean nothing."""
        return self.record.get("kind") == "table"

    @property
    def notes(self) -> dict[str, Any]:
        """Tags and a note; the only part of a run that may change."""
        path = self.path / NOTES
        return json.loads(path.read_text("utf-8")) if path.exists() else {"tags": [], "note": ""}

    @property
    def tags(self) -> list[str]:
        return self.notes["tags"]

    def representation(self, layer: str) -> Representation:
        """What `layer` says about each sample, memory-mapped.

        Raises InvalidInput for a layer it does not have, CorruptRun when the numbers are not those that were stored.
        """
        if layer not in self.record["layers"]:
            raise InvalidInput(unknown(f"layer of run {self.id}", layer, self.layers))
        stored = self.record["layers"][layer]
        values = map_safetensors(self._checked(REPRESENTATIONS))[layer]
        if list(values.shape) != stored["shape"] or values.shape[0] != len(self.samples):
            raise CorruptRun(
                f"Run {self.id} is damaged: layer {layer} has shape {values.shape}, its record says "
                f"{tuple(stored['shape'])} and {len(self.samples)} samples; delete it and train or import it again."
            )
        representation = Representation(values, self.samples["sample_id"].to_numpy(dtype=str), self.id, layer)
        if representation.digest != stored["digest"]:
            raise CorruptRun(
                f"Run {self.id} is damaged: the numbers of layer {layer} are not those that were stored; delete the "
                f"run and train or import it again."
            )
        return representation

    def weights(self) -> dict[str, np.ndarray]:
        """Parameter name to array, memory-mapped; only runs trained here have them."""
        return map_safetensors(self._checked(WEIGHTS))

    def _checked(self, name: str) -> Path:
        if name not in self.record["files"]:
            raise InvalidInput(
                f"Run {self.id} has no {name}: its status is {self.status!r} ({self.reason or 'imported'})."
            )
        return self.path / name


@dataclass(frozen=True)
class RunSet:
    """Runs that belong together: one dataset and configuration, or a saved choice. URLs carry its id."""

    id: str
    title: str
    runs: tuple[Run, ...]
    missing: tuple[str, ...] = ()

    @property
    def done(self) -> list[Run]:
        """The runs that have representations."""
        return [run for run in self.runs if run.status == "done"]

    @property
    def layers(self) -> list[str]:
        """Layers that every finished run has, in the order of the first."""
        done = self.done
        return [layer for layer in done[0].layers if all(layer in run.layers for run in done)] if done else []


def common_layer(runs: Sequence[Run]) -> str:
    """The layer to look at when none is named: ``latent`` where there is one, else the last they share."""
    shared = RunSet("", "", tuple(runs)).layers
    if not shared:
        raise InvalidInput(
            "These runs share no layer: " + "; ".join(f"{run.id} has {', '.join(run.layers) or 'none'}" for run in runs)
        )
    return "latent" if "latent" in shared else shared[-1]


def map_safetensors(path: Path) -> dict[str, np.ndarray]:
    """Every tensor of a safetensors file as a read-only memory map; nothing is read but the header.

    Raises CorruptRun when the header does not describe the file, UnsupportedFormat for a dtype numpy does not have.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or length > min(size - 8, _LARGEST_HEADER):
            raise CorruptRun(f"{path} is damaged: its header does not fit the file.")
        try:
            header = json.loads(file.read(length))
            return {
                name: _map(path, 8 + length, size, name, entry) for name, entry in header.items() if name[:2] != "__"
            }
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise CorruptRun(f"{path} is damaged: its header cannot be read ({error}).") from None


def _map(path: Path, base: int, size: int, name: str, entry: dict[str, Any]) -> np.ndarray:
    if entry["dtype"] not in _DTYPES:
        raise UnsupportedFormat(f"{path}: tensor {name} has type {entry['dtype']}; store it as F16, F32 or F64.")
    dtype, shape = np.dtype(_DTYPES[entry["dtype"]]), tuple(int(side) for side in entry["shape"])
    begin, end = entry["data_offsets"]
    if (
        min(shape, default=1) < 0
        or end - begin != math.prod(shape) * dtype.itemsize
        or not 0 <= begin <= end <= size - base
    ):
        raise ValueError(f"tensor {name} does not fit")
    if begin == end:
        return np.zeros(shape, dtype)
    return np.memmap(path, dtype, "r", base + begin, shape)


def _read_record(path: Path) -> dict[str, Any]:
    cure = "delete the folder, or put the original back"
    try:
        record = json.loads((path / RECORD).read_text("utf-8"))
    except FileNotFoundError:
        raise CorruptRun(f"{path} is not a run: it has no {RECORD}; {cure}.") from None
    except (OSError, ValueError, RecursionError) as error:
        raise CorruptRun(f"{path / RECORD} cannot be read ({error}); {cure}.") from None
    if not isinstance(record, dict) or not isinstance(record.get("schema"), int):
        raise CorruptRun(f"{path / RECORD} is not a run's record: it has no schema version; {cure}.")
    if record["schema"] > SCHEMA:
        raise UnsupportedFormat(
            f"{path} has schema version {record['schema']}, this version of nearid reads up to {SCHEMA}; update nearid."
        )
    lacking = [key for key in _REQUIRED if key not in record]
    if lacking or record["id"] != path.name:
        found = f"it lacks {', '.join(lacking)}" if lacking else f"its record is of run {record['id']!r}"
        raise CorruptRun(f"{path} is damaged: {found}; {cure}.")
    for name, stored in record["files"].items():
        file = path / name
        found_bytes = file.stat().st_size if file.is_file() else None
        if Path(name).name != name or found_bytes != stored["bytes"]:
            what = (
                "is missing" if found_bytes is None else f"has {found_bytes} bytes, its record says {stored['bytes']}"
            )
            raise CorruptRun(f"{path} is damaged: {name} {what}; {cure}.")
    return record

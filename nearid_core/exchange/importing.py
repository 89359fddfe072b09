"""Files of other people's embeddings become runs of a store."""

from __future__ import annotations

import contextlib
import re
import shutil
import time
from collections.abc import Mapping as Dict
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd

import nearid_core
from nearid_core.digest import text_digest
from nearid_core.errors import InvalidInput, NearIdError
from nearid_core.exchange.guess_mapping import guess
from nearid_core.exchange.import_preview import as_paths
from nearid_core.exchange.mapping import Mapping
from nearid_core.exchange.mapping_toml import mapping_to_toml
from nearid_core.exchange.plan import Plan, content_key, make_plan, seed_of
from nearid_core.exchange.problem import check_choices
from nearid_core.exchange.runs_of_files import Planned
from nearid_core.exchange.staging import stage
from nearid_core.progress import Progress, ProgressCallback, ignore
from nearid_core.runs import Run, RunStore, RunWriter

_COPIES = 2  # of the numbers on disk while a run is being written


def import_runs(
    paths: str | Path | Sequence[str | Path],
    store: RunStore,
    *,
    layer: str | None = None,
    sample_id: str | Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    mapping: Mapping | None = None,
    choices: Dict[str, str] | None = None,
    on_progress: ProgressCallback = ignore,
) -> list[Run]:
    """Import files as runs: all of them or none.

    paths : npy, npz, csv, tsv (also .gz), parquet, safetensors, h5ad or zarr.
    layer, sample_id, columns : the name of the layer, the column or columns that name a sample, and the features;
        they stand above the mapping.
    mapping : what the columns are; without one it is guessed (see `preview`, which shows the guess).
    choices : for a kind of problem what to do; they stand above those of the mapping.

    Raises InvalidInput where something is missing or wrong and no choice was made, or where the same is in the store
    already; UnsupportedFormat for a file that cannot be read.
    """
    files = as_paths(paths)
    if mapping is None:
        files, mapping = guess(files)
    mapping = _above(mapping, layer, sample_id, columns, choices)
    plan = make_plan(files, mapping, on_progress)
    check_ready(plan)
    return write_plan(plan, store, on_progress)


def check_ready(plan: Plan) -> None:
    """Raises InvalidInput with everything that keeps the plan from being carried out."""
    stopping = [problem for problem in plan.problems if problem.stops]
    said = [*plan.missing, *(f"{p.message} (choices for {p.kind}: {', '.join(p.choices[1:])})" for p in stopping)]
    if said:
        raise InvalidInput(f"Nothing was imported. {' '.join(said)}")
    empty = [run.name for run in plan.runs if len(run.samples) < 2]
    if empty or not plan.runs:
        raise InvalidInput(f"Nothing was imported: {empty[0] if empty else plan.name} has no two samples left.")


def write_plan(plan: Plan, store: RunStore, on_progress: ProgressCallback = ignore) -> list[Run]:
    """Write the runs of a plan that is ready: all of them or none."""
    set_id = f"{_slug(plan.name)}-{content_key(plan)[:8]}"
    ids = _run_ids(plan, set_id)
    there = [run_id for run_id in ids if run_id in store]
    if there:
        raise InvalidInput(f"The same was imported before: it is in the store as {', '.join(there)}; nothing was done.")
    _check_space(plan, store)
    try:
        return _write_all(plan, store, ids, set_id, on_progress)
    except OSError as error:
        raise NearIdError(
            f"Nothing was imported: {store.path} cannot be written ({error.strerror or error}); make room, or choose "
            f"another store."
        ) from None


def _write_all(
    plan: Plan, store: RunStore, ids: Sequence[str], set_id: str, on_progress: ProgressCallback
) -> list[Run]:
    began = time.monotonic()
    total = sum(len(run.samples) * len(run.layers) for run in plan.runs)
    done = 0
    with ExitStack() as claimed:
        writers = []
        for run_id, run in zip(ids, plan.runs, strict=True):
            seed = seed_of(run.name) if plan.kind == "runs" else None
            writer = claimed.enter_context(store.begin(run_id, {"config": None, "seed": seed}))
            layers = {}
            for layer in run.layers:
                layers[layer] = stage(run, layer, writer, _offset(on_progress, done, total, began))
                done += len(run.samples)
            record = _record(plan, run, run_id, set_id, seed, time.monotonic() - began)
            writer.prepare(record, samples=run.samples, layers=layers, features=_features(run))
            writers.append(writer)
        return _publish_all(writers, store)


def _check_space(plan: Plan, store: RunStore) -> None:
    """Before anything is written: a memory map on a full disk ends the process."""
    layers = [(run.shape(layer), run.dtype(layer)) for run in plan.runs for layer in run.layers]
    needed = _COPIES * sum(rows * width * dtype.itemsize for (rows, width), dtype in layers)
    there = next(folder for folder in (store.path, *store.path.parents) if folder.exists())
    free = shutil.disk_usage(there).free
    if needed > free:
        raise InvalidInput(
            f"Nothing was imported: it needs {needed / 2**30:.1f} GiB in {store.path} and there are {free / 2**30:.1f} "
            f"GiB; make room, or choose another store."
        )


def _publish_all(writers: Sequence[RunWriter], store: RunStore) -> list[Run]:
    runs: list[Run] = []
    try:
        for writer in writers:
            runs.append(writer.publish())  # noqa: PERF401 - those published are needed when one fails
    except BaseException:
        for run in runs:
            with contextlib.suppress(InvalidInput, OSError):
                store.delete(run.id)
        raise
    return runs


def _above(
    mapping: Mapping,
    layer: str | None,
    sample_id: str | Sequence[str] | None,
    columns: Sequence[str] | None,
    choices: Dict[str, str] | None,
) -> Mapping:
    if layer is not None:
        mapping = replace(mapping, layer=layer)
    if sample_id is not None:
        mapping = replace(mapping, sample_id=(sample_id,) if isinstance(sample_id, str) else tuple(sample_id))
    if columns is not None:
        mapping = replace(mapping, features=replace(mapping.features, columns=tuple(columns)))
    return replace(mapping, choices=check_choices({**mapping.choices, **(choices or {})}))


def _run_ids(plan: Plan, set_id: str) -> list[str]:
    if len(plan.runs) == 1:
        return [set_id]
    slugs = [_slug(run.name) for run in plan.runs]
    told_apart = [slug if slugs.count(slug) == 1 else f"{slug}.{i}" for i, slug in enumerate(slugs)]
    return [f"{set_id}-{slug}" for slug in told_apart]


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "import"


def _record(plan: Plan, run: Planned, run_id: str, set_id: str, seed: int | None, seconds: float) -> dict[str, Any]:
    mapping = plan.mapping
    batch = "batch" if mapping.files == "batches" and mapping.batch is None else mapping.batch
    negative = next((str(control) for control in mapping.controls if control.kind == "negative"), None)
    dataset = {
        "name": plan.name,
        "digest": text_digest(sorted(run.samples["sample_id"])),
        "factors": [],
        **mapping.roles,
        "batch": batch,
        "level": mapping.level,
        "control": negative,
        "controls": [vars(control) for control in mapping.controls],
    }
    return {
        "id": run_id,
        "set": set_id,
        "title": plan.name,
        "kind": "table" if plan.kind == "table" else "run",
        "seed": seed,
        "status": "done",
        "config": None,
        "dataset": dataset,
        "source": {"files": [path.name for path in plan.paths], "run": run.name, "mapping": mapping_to_toml(mapping)},
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": seconds,
        "versions": {"nearid": nearid_core.__version__},
    }


def _features(run: Planned) -> pd.DataFrame | None:
    """Names of features, of layers that have any but their column numbers."""
    named = {layer: run.features(layer) for layer in run.layers}
    named = {layer: names for layer, names in named.items() if names[0] != "0"}
    if not named:
        return None
    parts = [pd.DataFrame({"layer": k, "position": range(len(names)), "feature": names}) for k, names in named.items()]
    return pd.concat(parts, ignore_index=True)


def _offset(on_progress: ProgressCallback, before: int, total: int, began: float) -> ProgressCallback:
    def report(progress: Progress) -> None:
        on_progress(Progress(progress.what, before + progress.done, total, time.monotonic() - began))

    return report

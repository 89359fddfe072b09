"""Batch reports of stored runs and tables: kept on disk, found again without loading what computes one."""

from __future__ import annotations

from typing import Any

from nearid_core.batches.planes import Planes, umap_planes
from nearid_core.batches.report import BatchReport
from nearid_core.batches.settings import Settings
from nearid_core.errors import InvalidInput
from nearid_core.progress import ProgressCallback, ignore
from nearid_core.results import Entry, ResultCache
from nearid_core.runs import Run, common_layer
from nearid_core.runs.run import FEATURES, SAMPLES

ALGORITHM = 2  # raise when a report of the same data would differ


def settings_of(run: Run, **given: Any) -> Settings:
    """The settings that a run's record names (batch, label, control, ...), with those given above them.

    Raises InvalidInput where nothing says which column is the batch.
    """
    roles = ("batch", "label", "control", "group", "position", "level")
    known = {role: run.dataset.get(role) for role in roles} | {k: v for k, v in given.items() if v is not None}
    if known["batch"] is None:
        columns = ", ".join(column for column in run.samples.columns if column not in ("sample_id", "split"))
        raise InvalidInput(f"Nothing says which column of {run.id} is the batch; name one of {columns or 'none'}.")
    return Settings.from_dict(known)


def report_of_run(
    run: Run,
    layer: str | None = None,
    settings: Settings | None = None,
    *,
    cache: ResultCache | None = None,
    on_progress: ProgressCallback = ignore,
) -> BatchReport:
    """`batch_report` of one layer of a run (default: `common_layer`), from the cache where it was made before."""
    layer, settings = layer or common_layer([run]), settings or settings_of(run)
    found = cached_report(run, layer, settings, cache=cache)
    if found is not None:
        return found
    from nearid_core.batches.reporting import make_report

    values = run.representation(layer).values
    made = make_report(
        values, run.samples, settings, run.feature_names(layer), on_progress, f"Layer {layer} of {run.id}"
    )
    (cache or ResultCache()).save("batches", report_key(run, layer, settings), made.to_entry())
    return made


def cached_report(run: Run, layer: str, settings: Settings, *, cache: ResultCache | None = None) -> BatchReport | None:
    """The report beside its rows when it has been made before, else None."""
    entry = (cache or ResultCache()).load("batches", report_key(run, layer, settings))
    if entry is None:
        return None
    return BatchReport.from_entry(entry).with_rows(run.representation(layer).values, run.samples)


def umap_of_run(
    run: Run, layer: str, settings: Settings, report: BatchReport, *, cache: ResultCache | None = None
) -> Planes:
    """`umap_planes` of a report's components and dropped set, from the cache where it was made before."""
    found = cached_umap(run, layer, settings, cache=cache)
    if found is None:
        found = umap_planes(run.representation(layer).values, report.correction())
        entry = Entry(arrays={"rows": found.rows, "before": found.before, "after": found.after})
        (cache or ResultCache()).save("umap", report_key(run, layer, settings), entry)
    return found


def cached_umap(run: Run, layer: str, settings: Settings, *, cache: ResultCache | None = None) -> Planes | None:
    entry = (cache or ResultCache()).load("umap", report_key(run, layer, settings))
    return None if entry is None else Planes(**entry.arrays)


def report_key(run: Run, layer: str, settings: Settings) -> dict[str, Any]:
    if layer not in run.layers:
        raise InvalidInput(f"Run {run.id} has no layer {layer!r}; it has {', '.join(run.layers) or 'none'}.")
    return {
        "algorithm": ALGORITHM,
        "content": [run.record["layers"][layer]["digest"], run.record["files"][SAMPLES]["digest"]],
        "names": run.record["files"].get(FEATURES, {}).get("digest"),
        "settings": settings.to_dict(),
    }

"""Factor reports of stored runs: kept on disk, found again without loading what computes one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from nearid_core.components import Components
from nearid_core.components.of_run import components_of_run, content, run_halves
from nearid_core.factors.report import FactorReport
from nearid_core.factors.settings import Settings
from nearid_core.progress import ProgressCallback, ignore
from nearid_core.results import ResultCache
from nearid_core.runs import Run

ALGORITHM = 2  # raise when a report of the same data would differ


def report_of_run(
    run: Run,
    layer: str,
    settings: Settings,
    *,
    on_progress: ProgressCallback = ignore,
    cache: ResultCache | None = None,
) -> FactorReport:
    """The report of one layer of a run, computed when it is not on disk yet.

    Samples without a value of one of the factors are left out, and the report says how many.

    Raises InvalidInput as `score_factors` does.
    """
    cache = cache or ResultCache()
    key = report_key(run, layer, settings)
    entry = cache.load("factors", key)
    if entry is not None:
        return FactorReport.from_entry(entry)
    report = _computed(run, layer, settings, on_progress, cache)
    cache.save("factors", key, report.to_entry())
    return report


def cached_report(run: Run, layer: str, settings: Settings, *, cache: ResultCache | None = None) -> FactorReport | None:
    entry = (cache or ResultCache()).load("factors", report_key(run, layer, settings))
    return None if entry is None else FactorReport.from_entry(entry)


def report_key(run: Run, layer: str, settings: Settings) -> dict[str, Any]:
    return {"algorithm": ALGORITHM, "content": content(run, layer), "settings": settings.to_dict()}


def live_components(
    run: Run, layer: str, *, samples: str = "test", split_seed: int = 0, cache: ResultCache | None = None
) -> Components:
    """The independent components of the directions that are active, kept on disk.

    Where all are, this is the fit that other analyses of the layer use.
    """
    count = live_count(run, layer, samples=samples, split_seed=split_seed)
    return components_of_run(run, layer, samples=samples, split_seed=split_seed, n_components=count, cache=cache)


def live_count(run: Run, layer: str, *, samples: str = "test", split_seed: int = 0) -> int | None:
    """How many leading directions are analysed; None where it is all of the numerical rank."""
    from nearid_core.components.whitening import whiten
    from nearid_core.factors.directions import live_directions
    from nearid_core.factors.scoring import COMPONENTS_MAX

    halves = run_halves(run, samples, split_seed)
    fit = run.representation(layer).values[halves.rows][~halves.heldout]
    spectrum = whiten(fit, name=f"Layer {layer} of run {run.id}").eigenvalues
    live = min(live_directions(spectrum), COMPONENTS_MAX)
    return None if live == len(spectrum) else live


def _computed(
    run: Run, layer: str, settings: Settings, on_progress: ProgressCallback, cache: ResultCache
) -> FactorReport:
    from nearid_core.factors.scoring import score_factors

    halves = run_halves(run, settings.samples, settings.split_seed)
    values = run.representation(layer).values[halves.rows]
    fitted = live_components(run, layer, samples=settings.samples, split_seed=settings.split_seed, cache=cache)
    table = run.samples.iloc[halves.rows][list(settings.factors)]
    known = table.notna().all(axis=1).to_numpy()
    named = {name: table[name].astype(str) for name in settings.unordered}
    report = score_factors(
        values[known],
        table.assign(**named)[known],
        scores=settings.scores,
        spaces=settings.spaces,
        bins=settings.bins,
        variant=settings.variant,
        split_seed=settings.split_seed,
        heldout=halves.heldout[known],
        components=fitted,
        on_progress=on_progress,
    )
    missing = int(np.sum(~known))
    said = [f"{missing:,} of {len(known):,} samples have no value of one of the factors and are left out."]
    return replace(report, notes=(*(said if missing else ()), *report.notes))

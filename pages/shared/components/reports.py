"""Factor reports of a run set: looked up in the cache on disk, or computed by a job; never in the page."""

from typing import Any

import pandas as pd
import streamlit as st

from nearid_core.components import Components
from nearid_core.components.of_run import cached_components
from nearid_core.digest import json_digest
from nearid_core.factors import SeedReports, Settings, cached_report
from nearid_core.factors.of_run import live_components, live_count, report_key
from nearid_core.factors.partners import blocks_between
from nearid_core.jobs.estimate import factor_seconds
from nearid_core.runs import Run
from pages.shared.by_job import follow_or_offer
from pages.shared.stores import ShownSet, queue
from pages.shared.wording import count, duration

SMALL = 100_000  # runs x samples x columns x factors, of what is begun without asking: ten seconds at most


class _NotComputed(Exception):
    """Streamlit caches whatever is returned, None too; it does not cache what is raised."""


def lookup(chosen: ShownSet, layer: str, settings: Settings) -> SeedReports | None:
    """The reports of all runs of the set, when every one was computed."""
    try:
        return _read(key(chosen, layer, settings), layer, chosen.done, settings)
    except _NotComputed:
        return None


def key(chosen: ShownSet, layer: str, settings: Settings) -> str:
    return json_digest([[run.id, report_key(run, layer, settings)] for run in chosen.done])


@st.cache_resource(max_entries=16, show_spinner=False)
def _read(made_of: str, layer: str, _runs: list[Run], _settings: Settings) -> SeedReports:
    found = {run.id: cached_report(run, layer, _settings) for run in _runs}
    if any(report is None for report in found.values()):
        raise _NotComputed
    return SeedReports({run: report for run, report in found.items() if report is not None})


def compute(chosen: ShownSet, layer: str, settings: Settings) -> None:
    """Follow the job that makes them, or say what it takes and offer to start it."""
    request = _request(chosen, layer) | {"settings": settings.to_dict()}
    seconds = factor_seconds(queue(), chosen.done, layer)
    follow_or_offer(
        "factors",
        request,
        label="Hold them against the factors",
        title=f"Components of {count(len(chosen.done), chosen.noun)} against factors",
        takes=_takes(seconds),
        at_once="dci" not in settings.scores
        and (seconds <= 10 if seconds is not None else _small(chosen, layer, len(settings.factors))),
    )


def lookup_components(chosen: ShownSet, layer: str) -> dict[str, Components] | None:
    """The components of all runs, when every one was fitted."""
    try:
        return _read_components(json_digest([_request(chosen, layer)]), layer, chosen.done)
    except _NotComputed:
        return None


@st.cache_resource(max_entries=16, show_spinner=False)
def _read_components(made_of: str, layer: str, _runs: list[Run]) -> dict[str, Components]:
    found = {run.id: cached_components(run, layer, n_components=live_count(run, layer)) for run in _runs}
    if any(fitted is None for fitted in found.values()):
        raise _NotComputed
    return {run: fitted for run, fitted in found.items() if fitted is not None}


def compute_components(chosen: ShownSet, layer: str) -> None:
    """As `compute`, where no factor is known."""
    follow_or_offer(
        "components",
        _request(chosen, layer),
        label="Find the independent components",
        title=f"Independent components of {count(len(chosen.done), chosen.noun)}",
        takes="A layer of ten dimensions takes a second or so a run, one of a hundred a minute.",
        at_once=_small(chosen, layer),
    )


def blocks_in_others(chosen: ShownSet, run: Run, layer: str) -> pd.DataFrame:
    """Blocks of a run's unidentified components beside those of the other runs; empty where there are none."""
    return _blocks(
        json_digest([_request(chosen, layer), run.id]), run, [o for o in chosen.done if o.id != run.id], layer
    )


@st.cache_resource(max_entries=32, show_spinner=False)
def _blocks(made_of: str, _run: Run, _others: list[Run], layer: str) -> pd.DataFrame:
    if not _others or live_components(_run, layer).blocks.empty:
        return pd.DataFrame()
    return blocks_between(_run, _others, layer)


def _request(chosen: ShownSet, layer: str) -> dict[str, Any]:
    return {"store": str(chosen.store.path), "runs": [run.id for run in chosen.done], "layer": layer}


def _small(chosen: ShownSet, layer: str, factors: int = 1) -> bool:
    rows, width = chosen.done[0].record["layers"][layer]["shape"]
    return len(chosen.done) * rows * width * factors <= SMALL


def _takes(seconds: float | None) -> str:
    if seconds is not None:
        return f"About {duration(seconds)}, as an earlier one of this size took; it can be stopped."
    return (
        "Nothing of this size was timed here yet: half a minute or so for each run of ten dimensions and a thousand "
        "samples. It runs beside the page and can be stopped."
    )

"""Batch reports: looked up in the cache on disk, or computed by a job; never in the page."""

import streamlit as st

from nearid_core.batches import BatchReport, Settings, cached_report
from nearid_core.batches.of_run import cached_umap, report_key
from nearid_core.batches.planes import Planes
from nearid_core.digest import json_digest
from nearid_core.jobs.estimate import report_seconds
from nearid_core.runs import Run
from pages.shared.by_job import follow_or_offer
from pages.shared.stores import queue
from pages.shared.wording import duration


class _NotComputed(Exception):
    """Streamlit caches whatever is returned, None too; it does not cache what is raised."""


def lookup(run: Run, layer: str, settings: Settings) -> BatchReport | None:
    try:
        return _read(key(run, layer, settings), layer, run, settings)
    except _NotComputed:
        return None


def key(run: Run, layer: str, settings: Settings) -> str:
    return json_digest([run.id, report_key(run, layer, settings)])


@st.cache_resource(max_entries=8, show_spinner=False)
def _read(made_of: str, layer: str, _run: Run, _settings: Settings) -> BatchReport:
    found = cached_report(_run, layer, _settings)
    if found is None:
        raise _NotComputed
    return found


def compute(run: Run, layer: str, settings: Settings, *, kind: str = "batches", label: str, title: str) -> None:
    """Follow the job that makes it, or say what it takes and offer to start it."""
    request = {"store": str(run.path.parent), "run": run.id, "layer": layer, "settings": settings.to_dict()}
    follow_or_offer(kind, request, label=label, title=title, takes=_takes(report_seconds(queue(), run, layer, kind)))


def _takes(seconds: float | None) -> str:
    if seconds is not None:
        return f"About {duration(seconds)}, as an earlier one of this size took; it can be stopped."
    return (
        "Nothing of this size was timed here yet: tables of hundreds of rows take ten seconds or so, of thousands a "
        "minute or two. It runs beside the page and can be stopped."
    )


def umap(run: Run, layer: str, settings: Settings) -> Planes | None:
    return cached_umap(run, layer, settings)

"""Comparisons: looked up in the cache on disk, or computed by a job; never in the page."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from nearid_core import align
from nearid_core.jobs import JobQueue, JobStatus
from pages.shared.stores import ShownSet, queue


class _NotComputed(Exception):
    """Streamlit caches whatever is returned, None too; it does not cache what is raised."""


def lookup(chosen: ShownSet, layer: str) -> "align.Comparison | None":
    """The comparison of these runs at this layer, if it was ever computed."""
    digests = tuple(run.record["layers"][layer]["digest"] for run in chosen.done)
    try:
        return _read(tuple(run.id for run in chosen.done), digests, layer, chosen.done)
    except _NotComputed:
        return None


@st.cache_resource(max_entries=32, show_spinner=False)
def _read(run_ids: tuple[str, ...], digests: tuple[str, ...], layer: str, _runs: Any) -> "align.Comparison":
    found = align.cached(_runs, layer)
    if found is None:
        raise _NotComputed
    return found


@dataclass(frozen=True)
class CompareJob:
    queue: JobQueue
    status: JobStatus


def request(chosen: ShownSet, layer: str) -> dict[str, Any]:
    return {"runs": [run.id for run in chosen.done], "store": str(chosen.store.path), "layer": layer}


def submit(chosen: ShownSet, layer: str) -> None:
    queue().submit("compare", request(chosen, layer))


def last_job(chosen: ShownSet, layer: str) -> JobStatus | None:
    """The latest job that compared just these runs at this layer."""
    wanted = request(chosen, layer)
    for status in reversed(queue().list()):
        if status.kind == "compare" and {name: status.request.get(name) for name in wanted} == wanted:
            return status
    return None

"""Comparisons: looked up in the cache on disk, or computed by a job; never in the page."""

from typing import Any

import streamlit as st

from nearid_core import align
from nearid_core.jobs import JobStatus
from nearid_core.jobs.estimate import comparison_seconds
from pages.shared.job_panel import ending, watch
from pages.shared.stores import ShownSet, queue
from pages.shared.wording import count, duration, plain

SMALL = 8_000_000  # ordered pairs x rows x columns^2, of a comparison that is begun without asking
ASK_ABOVE = 10.0  # seconds; what takes longer is started by a click only


class _NotComputed(Exception):
    """Streamlit caches whatever is returned, None too; it does not cache what is raised."""


def lookup(chosen: ShownSet, layer: str) -> "align.Comparison | None":
    """The comparison of these runs at this layer, if it was ever computed."""
    try:
        return _read(content(chosen, layer), layer, chosen.done)
    except _NotComputed:
        return None


def content(chosen: ShownSet, layer: str) -> tuple[str, ...]:
    """What a comparison is made of: which runs, and the digests of their numbers."""
    return (layer, *(text for run in chosen.done for text in (run.id, run.record["layers"][layer]["digest"])))


@st.cache_resource(max_entries=32, show_spinner=False)
def _read(made_of: tuple[str, ...], layer: str, _runs: Any) -> "align.Comparison":
    found = align.cached(_runs, layer)
    if found is None:
        raise _NotComputed
    return found


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


def compute(chosen: ShownSet, layer: str) -> None:
    """Where there is no comparison yet: follow the job that makes it, or say what it takes and offer to start it."""
    job = last_job(chosen, layer)
    if job is not None and not job.over:
        watch(queue(), job.id, title=f"Comparing {count(len(chosen.done), 'run')} at layer {plain(layer)}")
        return
    if job is not None:
        ending(job)
    seconds = comparison_seconds(queue(), chosen.done, layer)
    if job is None and (seconds <= ASK_ABOVE if seconds is not None else _small(chosen, layer)):
        submit(chosen, layer)
        st.rerun()
    st.markdown(f"{count(len(chosen.done), 'run')} not compared yet at this layer. {_takes(seconds, chosen, layer)}")
    if st.button("Compare", type="primary", icon=":material/compare_arrows:", key="compare"):
        submit(chosen, layer)
        st.rerun()


def _small(chosen: ShownSet, layer: str) -> bool:
    """Whether it takes a few seconds on any machine: two runs of 3,500 x 30 took 2.5 seconds of one core."""
    pairs = len(chosen.done) * (len(chosen.done) - 1)
    rows, width = chosen.done[0].record["layers"][layer]["shape"]
    return pairs * rows * width**2 <= SMALL


def _takes(seconds: float | None, chosen: ShownSet, layer: str) -> str:
    if seconds is not None:
        return f"It will take about {duration(seconds)}, as earlier comparisons of this size did."
    width = chosen.done[0].record["layers"][layer]["shape"][1]
    return (
        f"No comparison of this size was timed here yet. The layer has {count(width, 'dimension')}: a run of ten or so "
        "takes a second, of a hundred or more ten seconds and up. It runs beside the page and can be stopped."
    )

"""A job as a page shows it: how far it is, what it does, time left, a stop; and how it ended."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from nearid_core.jobs import JobQueue, JobStatus
from pages.shared.failures import sentences
from pages.shared.wording import count, duration, plain, when

LISTED = 10  # jobs in the list of those that are over
STATE_ICONS = {
    "queued": ":material/hourglass_empty:",
    "running": ":material/play_arrow:",
    "done": ":material/check:",
    "failed": ":material/error:",
    "cancelled": ":material/cancel:",
}


def watch(queue: JobQueue, job_id: str, *, title: str, detail: Callable[[JobStatus], None] | None = None) -> None:
    """Follow a job once a second until it is over; then the page is drawn anew.

    detail : draws what this kind of job adds (the loss so far).
    """

    @st.fragment(run_every=1.0)
    def panel() -> None:
        with sentences():
            status = queue.status(job_id)
            if status.over:
                st.rerun()
            with st.container(border=True, key=f"job_{job_id}"):
                _headline(queue, status, title)
                if detail is not None:
                    detail(status)

    panel()


def ending(status: JobStatus) -> None:
    """How a job that did not succeed ended, with its log folded away."""
    if status.state not in {"failed", "cancelled"}:
        return
    show = st.error if status.state == "failed" else st.warning
    show(plain(status.reason or f"The job is {status.state}."), icon=STATE_ICONS[status.state])
    if status.state == "failed" and status.log.strip():
        with st.expander("What the worker printed"):
            st.code(status.log, language=None)


def _headline(queue: JobQueue, status: JobStatus, title: str) -> None:
    words, button = st.columns([6, 1], vertical_alignment="center")
    words.markdown(f"**{title}**")
    if button.button("Stop", key=f"stop_{status.id}", icon=":material/stop:", width="stretch"):
        with st.spinner("Stopping"):
            queue.cancel(status.id)
        st.rerun()
    progress = status.progress
    if status.state == "queued":
        waiting = f"waiting for {count(status.ahead, 'other job')}" if status.ahead else "starting"
        st.progress(0.0, text=waiting)
    elif progress is None:
        st.progress(0.0, text=f"starting, {duration(status.seconds)} so far")
    else:
        st.progress(
            progress.fraction,
            text=f"{plain(progress.what)} · {progress.done:,} of {progress.total:,} · "
            f"{duration(progress.seconds)} so far · {_left(progress.seconds_left)}",
        )


def _left(seconds: float | None) -> str:
    return "time left not known yet" if seconds is None else f"about {duration(seconds)} left"


def job_list(queue: JobQueue, kind: str, title_of: Callable[[Mapping[str, Any]], str]) -> None:
    """Jobs that are over, newest first; a failed one with its reason."""
    over = [status for status in reversed(queue.list()) if status.kind == kind and status.over]
    if not over:
        st.caption("None yet.")
        return
    for status in over[:LISTED]:
        with st.container(border=True, key=f"over_{status.id}"):
            icon = STATE_ICONS[status.state]
            st.markdown(f"{icon} **{title_of(status.request)}** · {status.state} · {when(status.created)}")
            ending(status)

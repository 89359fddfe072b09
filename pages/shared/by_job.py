"""What a page does where a result has to be computed by a job: follow it, say how it ended, or offer to start it."""

from typing import Any

import streamlit as st

from nearid_core.jobs import JobStatus
from pages.shared.job_panel import ending, watch
from pages.shared.stores import queue


def follow_or_offer(
    kind: str, request: dict[str, Any], *, label: str, title: str, takes: str, at_once: bool = False
) -> None:
    """label : of the button; title : of the running job; takes : how long, in a sentence.

    at_once : begin without asking, as far as it was not tried before.
    """
    job = last_job(kind, request)
    if job is not None and not job.over:
        watch(queue(), job.id, title=title)
        return
    if job is not None:
        ending(job)
    elif at_once:
        queue().submit(kind, request)
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(label, type="primary", icon=":material/science:", key=f"compute_{kind}"):
            queue().submit(kind, request)
            st.rerun()
        st.caption(takes)


def last_job(kind: str, request: dict[str, Any]) -> JobStatus | None:
    """The latest job of just this request."""
    for status in reversed(queue().list()):
        if status.kind == kind and {name: status.request.get(name) for name in request} == request:
            return status
    return None

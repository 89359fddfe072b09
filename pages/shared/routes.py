"""The pages by name, and what keeps one from running without the router."""

from pathlib import Path

import streamlit as st

_FOLDER = Path(__file__).parents[1]
ICON = Path(__file__).with_name("icon.png")
_MARK = "router_has_run"

OVERVIEW, TRAIN, RUNS, ALIGNMENT = (_FOLDER / f"{name}.py" for name in ("overview", "train", "runs", "alignment"))


def navigation():
    """Register the pages; returns the one the URL names."""
    st.session_state[_MARK] = True
    return st.navigation(
        [
            st.Page(OVERVIEW, title=":material/dashboard: Overview", default=True),
            st.Page(TRAIN, title=":material/model_training: Train"),
            st.Page(RUNS, title=":material/table_rows: Runs"),
            st.Page(ALIGNMENT, title=":material/compare_arrows: Alignment"),
        ]
    )


def enter() -> None:
    """The first line of every page.

    Streamlit runs a page of a folder named ``pages`` without ``app.py`` when it is the first thing that a fresh server
    is asked for: no sidebar, no selection. Registering the pages ends that mode for good; then the page starts over.
    """
    if not st.session_state.pop(_MARK, False):
        navigation()
        st.rerun()

"""The pages by name, and what keeps one from running without the router."""

from pathlib import Path

import streamlit as st

_FOLDER = Path(__file__).parents[1]
ICON = Path(__file__).with_name("icon.png")  # an icon by name would be fetched from outside
_MARK = "router_has_run"

OVERVIEW, TRAIN, RUNS, ALIGNMENT = (_FOLDER / f"{name}.py" for name in ("overview", "train", "runs", "alignment"))


def navigation():
    """Register the pages; returns the one the URL names."""
    st.session_state[_MARK] = True
    return st.navigation(
        [
            st.Page(OVERVIEW, title="Overview", icon=":material/dashboard:", default=True),
            st.Page(TRAIN, title="Train", icon=":material/model_training:"),
            st.Page(RUNS, title="Runs", icon=":material/table_rows:"),
            st.Page(ALIGNMENT, title="Alignment", icon=":material/compare_arrows:"),
        ]
    )


def enter() -> None:
    """The first line of every page.

    Streamlit runs a page of a folder named ``pages`` without ``app.py`` when it is the first thing that a fresh server
    is asked for: no sidebar, no selection. Registering the pages ends that mode for good; then the page starts over.
    """
    if not st.session_state.get(_MARK):
        navigation()
        st.rerun()

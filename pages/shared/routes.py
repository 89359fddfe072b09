"""The pages by name, and what keeps one from running without the router."""

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

ICON = Path(__file__).with_name("icon.png")
OVERVIEW, TRAIN, RUNS, ALIGNMENT, COMPONENTS, BATCHES = (
    Path(__file__).parents[1] / f"{name}.py"
    for name in ("overview", "train", "runs", "alignment", "components", "batches")
)

_LINKS = {
    OVERVIEW: ("Overview", ":material/dashboard:"),
    TRAIN: ("Train", ":material/model_training:"),
    RUNS: ("Runs", ":material/table_rows:"),
    ALIGNMENT: ("Alignment", ":material/compare_arrows:"),
    COMPONENTS: ("Components", ":material/hub:"),
    BATCHES: ("Batches", ":material/biotech:"),
}
_MARK = "router_has_run"


def navigation():
    """Register the pages; returns the one the URL names.

    Streamlit's own menu is hidden: its entries empty the URL, and writing the selection back then fills the browser's
    history with steps that "back" cannot leave. (Its icons would also become favicons, fetched from outside.)
    """
    st.session_state[_MARK] = True
    pages = [st.Page(path, title=title, default=path == OVERVIEW) for path, (title, _) in _LINKS.items()]
    return st.navigation(pages, position="hidden")


def menu(selection: Mapping[str, str]) -> None:
    """Links to all pages that carry the selection along."""
    for path, (title, icon) in _LINKS.items():
        st.page_link(path, label=title, icon=icon, width="stretch", query_params=dict(selection))


def enter() -> None:
    """The first line of every page.

    Streamlit runs a page of a folder named ``pages`` without ``app.py`` when it is the first thing that a fresh server
    is asked for: no sidebar, no selection. Registering the pages ends that mode for good; then the page starts over.
    """
    if not st.session_state.pop(_MARK, False):
        navigation()
        st.rerun()

"""Which runs and which layer: one choice for all pages, kept in the URL so that a copied link shows the same view.

The URL is the state. Streamlit's own ``bind="query-params"`` would drop an unknown value without a word and leave a
default out of the URL, and the default (the newest set) differs between machines.
"""

from collections import Counter
from dataclasses import dataclass
from urllib.parse import urlencode

import streamlit as st

from nearid_core.registry import unknown
from nearid_core.runs import common_layer
from pages.shared import routes
from pages.shared.charts import image_format, table_format
from pages.shared.stores import ShownSet, shown_sets, user_store
from pages.shared.wording import plain

_KEPT = "kept_selection"  # for links that name none
_SELECTION = "selection"


@dataclass(frozen=True)
class Selection:
    """What the sidebar says.

    sets : everything that could be chosen.
    chosen, layer : what is chosen; None where there is nothing, or the link names something that is not here.
    missing : the sentence that says what the link names and where it was looked for.
    """

    sets: list[ShownSet]
    chosen: ShownSet | None = None
    layer: str | None = None
    missing: str | None = None


def sidebar() -> None:
    """Settle the selection for this script run; draw the menu and the pickers; say what a link names in vain."""
    sets = shown_sets()
    selection = _settle(sets)
    _keep(selection)
    with st.sidebar:
        routes.menu(_parameters(selection))
        st.divider()
        if sets:
            _pick_set(selection)
        if selection.chosen and selection.chosen.runs.layers and selection.chosen.noun != "table":
            _pick_layer(selection)
        _share()
        st.caption(f"Store: `{user_store().path}`")
    if selection.missing:
        st.warning(plain(selection.missing), icon=":material/link_off:")


def current() -> Selection:
    return st.session_state[_SELECTION]


def link(chosen: ShownSet, layer: str | None = None) -> dict[str, str]:
    """The query parameters that select this set."""
    return {"set": chosen.key} | ({"layer": layer} if layer else {})


def set_labels(sets: list[ShownSet]) -> dict[str, str]:
    """A name for each set by its key: what tells it from others comes first, since the sidebar is narrow.

    Streamlit finds an option by its label, so two sets never share one.
    """
    labels = {one.key: one.label for one in sets}
    shared = {label for label, times in Counter(labels.values()).items() if times > 1}
    return {key: f"{key[-4:]} · {label}" if label in shared else label for key, label in labels.items()}


def _parameters(selection: Selection) -> dict[str, str]:
    return link(selection.chosen, selection.layer) if selection.chosen else {}


def _settle(sets: list[ShownSet]) -> Selection:
    kept = st.session_state.get(_KEPT, {})
    given = st.query_params if "set" in st.query_params else kept
    by_key = {one.key: one for one in sets}
    if given.get("set") == kept.get("set") and kept.get("set") not in by_key:
        given = {}  # it was here a moment ago: its last run was deleted
    if given.get("set") and given["set"] not in by_key:
        missing = (
            f"This link shows the run set {given['set']}, which is neither in this store nor in the demo. "
            "Choose another set, or open the link where its runs are."
        )
        return Selection(sets, missing=missing)
    chosen = by_key[given["set"]] if given.get("set") else _first(sets)
    layers = chosen.runs.layers if chosen else []
    if given.get("layer") and layers and given["layer"] not in layers:
        return Selection(sets, chosen, missing=unknown("layer of this run set", given["layer"], layers))
    layer = given.get("layer") if layers else None
    return Selection(sets, chosen, layer or (common_layer(chosen.done) if chosen and layers else None))


def _first(sets: list[ShownSet]) -> ShownSet | None:
    """What to show when nothing is asked for: the newest set that can be compared, else the newest."""
    return next((one for one in sets if one.comparable), next(iter(sets), None))


def _pick_set(selection: Selection) -> None:
    labels = set_labels(selection.sets)
    st.session_state["picked_set"] = selection.chosen.key if selection.chosen else None
    st.selectbox(
        "Run set",
        list(labels),
        index=0 if selection.chosen else None,
        key="picked_set",
        format_func=labels.get,
        placeholder="Choose a run set",
        on_change=_set_picked,
        help="Runs of one dataset and configuration that differ in their seed, or a choice saved on the Runs page.",
    )


def _pick_layer(selection: Selection) -> None:
    st.session_state["picked_layer"] = selection.layer
    st.selectbox(
        "Layer",
        selection.chosen.runs.layers,
        index=0 if selection.layer else None,
        key="picked_layer",
        placeholder="Choose a layer",
        on_change=_layer_picked,
        help="Where in the model the representation is read, in order from input to output.",
    )


def _share() -> None:
    with st.popover("Link and images", icon=":material/ios_share:", type="tertiary"):
        st.caption("This address opens the same view, wherever these runs are:")
        st.code(f"{st.context.url or ''}?{urlencode(st.query_params.to_dict())}", language=None, wrap_lines=True)
        image_format()
        table_format()


def _set_picked() -> None:
    """The layer stays when the new set has it, else the new set's usual layer is taken."""
    chosen = next(one for one in shown_sets() if one.key == st.session_state["picked_set"])
    layer = st.query_params.get("layer")
    if layer not in chosen.runs.layers:
        layer = common_layer(chosen.done) if chosen.runs.layers else ""
    st.query_params.update({"set": chosen.key, "layer": layer})


def _layer_picked() -> None:
    st.query_params["layer"] = st.session_state["picked_layer"]


def _keep(selection: Selection) -> None:
    st.session_state[_SELECTION] = selection
    wanted = _parameters(selection)
    if selection.missing or not wanted:
        return
    st.session_state[_KEPT] = wanted
    if any(st.query_params.get(name) != value for name, value in wanted.items()):
        st.query_params.update(wanted)  # at once: each write is a step in the browser's history

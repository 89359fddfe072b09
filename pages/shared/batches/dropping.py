"""The set of dropped components, which all that follows keeps to: a slider, a list, a lasso."""

import streamlit as st

from nearid_core import figures
from nearid_core.batches import BatchReport
from nearid_core.batches.components_table import left_after
from nearid_core.batches.correction import checked_drop
from nearid_core.batches.removal import left_beside
from nearid_core.errors import InvalidInput
from pages.shared.batches import explanations as say
from pages.shared.charts import chart
from pages.shared.wording import count, percent, plain

_SET, _OF = "dropped", "dropped_of"


def dropped_components(report: BatchReport, made_of: str) -> list[int]:
    """The set that everything below follows; it stands in the URL where it is not the suggested one.

    Streamlit's own binding would leave an empty choice out of the URL, where nothing means what was suggested.
    """
    rank = report.components.rank
    if st.session_state.get(_OF) != made_of:
        st.session_state[_SET] = _asked(rank, list(report.drop)) if _OF not in st.session_state else list(report.drop)
        st.session_state[_OF] = made_of

    def drop_most() -> None:
        st.session_state[_SET] = sorted(report.most_batch[: st.session_state["drop_count"]])

    left, right = st.columns([1, 2], gap="large", vertical_alignment="bottom")
    with right:
        chosen = sorted(
            st.multiselect(
                "Dropped components",
                list(range(rank)),
                key=_SET,
                persist_state="session",
                placeholder="none",
                max_selections=rank - 1,
                help="Suggested: those with an ω² of batch of at least .1, above their ω² of biology, on the half "
                "that nothing is read on.",
            )
        )
    with left:
        st.session_state["drop_count"] = len(chosen)
        st.slider(
            "Drop those with most batch",
            0,
            rank - 1,
            key="drop_count",
            on_change=drop_most,
            help="By their η² between batches where components were chosen, most first.",
        )
    written = None if tuple(chosen) == report.drop else ",".join(map(str, chosen)) or "none"
    if written is None:
        st.query_params.pop("drop", None)
    elif st.query_params.get("drop") != written:
        st.query_params["drop"] = written
    return chosen


def _asked(rank: int, suggested: list[int]) -> list[int]:
    """What a link names; with a sentence where it names what is not there."""
    text = st.query_params.get("drop")
    if text is None:
        return suggested
    if text == "none":
        return []
    try:
        return list(checked_drop([int(number) for number in text.split(",")], rank))
    except (ValueError, InvalidInput) as error:
        reason = str(error) if isinstance(error, InvalidInput) else f"The link drops {text!r}, which are no components."
        st.warning(f"{plain(reason)} The suggested ones are dropped.", icon=":material/link_off:")
        return suggested


def cost(report: BatchReport, drop: list[int]) -> None:
    """What is left after the drop, beside what PCA and random rotations leave after as many."""
    left = left_after(report.table, drop)
    beside = left_beside(report.removal_curves, len(drop))
    columns = st.columns(3)
    columns[0].metric("Components dropped", f"{len(drop)} of {report.components.rank}")
    for place, side, title in ((1, "batch", "Batch variance left"), (2, "bio", "Biology left")):
        if f"{side}_left" not in left:
            continue
        columns[place].metric(title, percent(left[f"{side}_left"]), help=say.REMOVAL)
        if {"pca", "pca_random"} <= set(beside.index):
            others = beside[f"{side}_left"]
            columns[place].caption(
                f"as many of PCA leave {percent(others['pca'])}, of a random rotation {percent(others['pca_random'])}"
            )


def plane(report: BatchReport, drop: list[int]) -> None:
    """The plane of components; what the lasso holds can be dropped or kept."""
    shown = chart(
        lambda: figures.component_plane(report.table, drop),
        key="component_plane",
        about=say.PLANE,
        alt="Components by eta squared between labels and between batches",
        table=report.table[report.table["space"] == "pca_ica"],
        lasso=True,
    )
    points = shown.selection.points if shown else []
    held = sorted({int(point["customdata"][0]) for point in points if point.get("customdata")})
    if not held:
        return

    def set_drop(components: list[int]) -> None:
        st.session_state[_SET] = sorted(components)

    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"{count(len(held), 'component')} selected")
        st.button("Drop", on_click=set_drop, args=([*{*drop, *held}],), key="drop_held", icon=":material/remove:")
        st.button(
            "Keep",
            on_click=set_drop,
            args=([c for c in drop if c not in held],),
            key="keep_held",
            icon=":material/add:",
        )

"""Alignment: do these runs agree at this layer, and up to which transformation?"""

import pandas as pd
import streamlit as st

from nearid_core import figures
from nearid_core.align import Comparison
from nearid_core.figures.appearance import GROUP_LABELS, group_order, run_labels
from pages.shared import explanations as say
from pages.shared import routes
from pages.shared.cards import badges, say_what_is_lacking
from pages.shared.charts import chart, download
from pages.shared.choices import choice
from pages.shared.comparisons import compute, content, lookup
from pages.shared.selection import current
from pages.shared.stores import ShownSet, may_change, user_store
from pages.shared.wording import interval, percent, plain

routes.enter()


def in_order(rows: pd.DataFrame) -> pd.DataFrame:
    """One row a group, from the smallest to the largest, by the names that the figures use."""
    return rows.set_index("group").loc[group_order(rows["group"])].rename(index=GROUP_LABELS).reset_index()


def verdict_card(one: ShownSet, layer: str, comparison: Comparison) -> None:
    """The answer, the size of what it rests on, and what to keep in mind."""
    with st.container(border=True, key="verdict"):
        st.markdown(f"**{plain(one.runs.title)}**")
        badges(one, layer)
        st.markdown(f"### {plain(comparison.verdict)}")
        first = comparison.table.iloc[0]
        exact = "diameter exact" if first["diameter_exact"] else "diameter a lower bound, which overstates the errors"
        st.caption(
            f"Maps fitted on {first['n_fit']:,.0f} samples, errors read on {first['n_heldout']:,.0f} others · "
            f"{first['width']:.0f} dimensions, rank {first['rank']:.0f}, "
            f"N/D {first['n_fit'] / first['width']:.0f} · {exact}"
        )
        for note in comparison.notes:
            st.markdown(f":material/info: {plain(note)}")


def one_pair(comparison: Comparison, space: str, reference: str, other: str) -> None:
    """Every group's numbers for one ordered pair."""
    labels = run_labels(comparison.runs)
    table = comparison.table
    rows = table[(table["reference"] == reference) & (table["other"] == other) & (table["space"] == space)]
    with st.container(border=True, key="pair"):
        st.markdown(f"**{plain(labels[other])} mapped onto {plain(labels[reference])}**, {space} space")
        st.dataframe(
            in_order(rows)[list(say.PAIR_COLUMNS)].dropna(axis="columns", how="all"),
            hide_index=True,
            key="pair_table",
            column_config=say.COLUMNS,
            height="content",
        )


def ica_efficiency(comparison: Comparison, space: str) -> None:
    """The mean over pairs with its interval, or why there is none; the pairs are folded away."""
    efficiencies = comparison.ica_efficiency()
    in_space = efficiencies[efficiencies["space"] == space]
    pairs, mean = in_space[in_space["reference"] != "all"], in_space[in_space["reference"] == "all"].iloc[0]
    st.metric(
        f"ICA efficiency, {space} space, mean over pairs",
        interval(mean["efficiency"], mean["low"], mean["high"], percent),
        help=say.ICA_EFFICIENCY,
    )
    if mean["reason"]:
        st.caption(plain(mean["reason"]))
    st.caption(say.ICA_EFFICIENCY)
    with st.expander("Each pair"):
        st.dataframe(pairs.drop(columns=["low", "high"]), hide_index=True, key="pairs", column_config=say.COLUMNS)


selection = current()
chosen, layer = selection.chosen, selection.layer

st.title("Alignment")

if selection.missing:  # app.py says what
    st.stop()
if chosen is None:
    st.info("There are no runs to compare yet.", icon=":material/inbox:")
    if may_change(user_store()) and st.button("Train runs", icon=":material/model_training:"):
        st.switch_page(routes.TRAIN)
    st.stop()
if not chosen.comparable:
    st.markdown(f"**{plain(chosen.runs.title)}**")
    badges(chosen, layer)
    say_what_is_lacking(chosen)
    st.stop()

comparison = lookup(chosen, layer)
if comparison is None:
    st.markdown(f"**{plain(chosen.runs.title)}**")
    badges(chosen, layer)
    compute(chosen, layer)
    st.stop()

made_of = content(chosen, layer)
verdict_card(chosen, layer, comparison)

space = choice("Space", ["latent", "component"], key="space", help=say.SPACES)
in_space = comparison.table[comparison.table["space"] == space]

st.subheader("How large is the error after the best map of each group?")
chart(
    lambda: figures.error_by_group(comparison, space=space),
    key=f"error_by_group_{space}",
    content=made_of,
    about=say.ERROR_BY_GROUP,
    alt=f"Held-out error by transformation group in {space} space. {comparison.verdict}",
    table=in_space,
)

left, right = st.columns(2, gap="large")
with left:
    st.subheader("For how many samples?")
    chart(
        lambda: figures.epsilon_profile(comparison, space=space, height=430),
        key=f"epsilon_profile_{space}",
        content=made_of,
        about=say.EPSILON_PROFILE,
        alt=f"Share of samples with an error up to epsilon, one curve a group, in {space} space",
        table=comparison.epsilon_profile(space),
    )
with right:
    st.subheader("For which runs?")
    groups = {group: GROUP_LABELS[group] for group in group_order(in_space["group"])}
    group = choice("Group", groups, key="group", default="rigid", help=say.GROUPS)
    clicked = chart(
        lambda: figures.pair_heatmap(comparison, group=group, space=space),
        key=f"pair_heatmap_{group}_{space}",
        content=made_of,
        about=say.PAIR_HEATMAP,
        alt=f"Error of every ordered pair of runs after the best {group} map",
        table=in_space[in_space["group"] == group],
        clickable=True,
    )
if clicked and clicked.selection.points:
    reference, other, *_ = clicked.selection.points[0]["customdata"]
    one_pair(comparison, space, reference, other)

left, right = st.columns(2, gap="large")
with left:
    st.subheader("How much of the way does ICA go?")
    ica_efficiency(comparison, space)
with right:
    st.subheader("Which components come back?")
    reference = choice("Reference run", run_labels(comparison.runs), key="reference", help=say.REFERENCE)
    chart(
        lambda: figures.returning_components(comparison, reference),
        key=f"returning_components_{reference}",
        content=made_of,
        about=say.COMPONENTS,
        alt=f"Held-out correlation of each component of {reference} with its partner in every other run",
        table=comparison.components[comparison.components["reference"] == reference],
    )

st.subheader("All groups, mean over pairs")
summary = comparison.summary()
st.dataframe(
    in_order(summary[summary["space"] == space])[list(say.SUMMARY_COLUMNS)].dropna(axis="columns", how="all"),
    hide_index=True,
    key="summary",
    column_config=say.COLUMNS,
    height="content",
)
download(comparison.table, "alignment_pairs")

"""Components: which component is what, and does ICA find the factors?"""

import streamlit as st

from nearid_core import figures
from nearid_core.components import Components
from nearid_core.factors import SCORES, FactorReport, SeedReports
from nearid_core.figures.appearance import run_labels
from nearid_core.figures.factors import MEASURES
from nearid_core.runs import Run
from pages.shared import routes
from pages.shared.cards import badges
from pages.shared.charts import chart, download
from pages.shared.choices import choice
from pages.shared.components import explanations as say
from pages.shared.components.asked import asked_settings
from pages.shared.components.closer import Cell, look_closer
from pages.shared.components.gallery import gallery, what_should_be_seen
from pages.shared.components.reports import (
    blocks_in_others,
    compute,
    compute_components,
    key,
    lookup,
    lookup_components,
)
from pages.shared.failures import sentences
from pages.shared.selection import current
from pages.shared.stores import ShownSet, may_change, user_store
from pages.shared.wording import count, plain

routes.enter()

_CELL = "cell"  # in the URL: space:component:factor


def verdict_card(one: ShownSet, layer: str, reports: SeedReports) -> None:
    """The answer, the size of what it rests on, and what to keep in mind."""
    with st.container(border=True, key="verdict"):
        st.markdown(f"**{plain(one.runs.title)}**")
        badges(one, layer)
        answer, _, rest = reports.verdict.partition(". ")
        st.markdown(f"### {plain(answer.rstrip('.'))}.")
        st.markdown(plain(rest))
        what_should_be_seen(one)
        first = next(iter(reports.reports.values()))
        st.caption(
            f"Whitening and ICA fitted on {first.settings['n_fit']:,} samples, scores read on "
            f"{first.settings['n_scored']:,} others; {count(len(first.settings['factors']), 'factor')}."
        )
        notes = dict.fromkeys(note for report in reports.reports.values() for note in report.notes)
        if notes:
            with st.expander(f"{count(len(notes), 'note')} on what this rests on"):
                for note in notes:
                    st.markdown(f":material/info: {plain(note)}")


def cell_of(report: FactorReport, measure: str, clicked: object) -> Cell:
    """The cell that was clicked, or that the link names; else ICA's best pair."""
    points = clicked.selection.points if clicked else []  # type: ignore[attr-defined]
    if points:
        space, component, factor, *_ = points[0]["customdata"]
        st.query_params[_CELL] = f"{space}:{component}:{factor}"
    space, _, rest = st.query_params.get(_CELL, "").partition(":")
    component, _, factor = rest.partition(":")
    rows = report.associations
    if ((rows["space"] == space) & (rows["component"].astype(str) == component) & (rows["factor"] == factor)).any():
        return Cell(space, int(component), factor)
    ica = rows[rows["space"] == report.settings["spaces"][-1]]
    best = ica.loc[ica[measure].idxmax()]
    return Cell(best["space"], int(best["component"]), best["factor"])


def diagnostics(components: Components, name: str) -> None:
    """What is known of each component, and which unidentified ones form a block."""
    reasons = components.blocks.set_index("component")[["block", "reason"]]
    fitted = components.diagnostics.join(reasons, on="component")
    first = ["component", "identified", "reason", "block"]
    st.dataframe(
        fitted[[*first, *fitted.columns.drop([*first, "negentropy"])]],
        hide_index=True,
        key=f"diagnostics_{name}",
        height="content" if len(fitted) <= 12 else 420,
        column_config={
            "z_heldout": st.column_config.NumberColumn("z", format="%.1f"),
            "stability": st.column_config.NumberColumn("stability", format="%.2f"),
            "restart_stability": st.column_config.NumberColumn("restarts", format="%.2f"),
            "second_contrast": st.column_config.NumberColumn("second contrast", format="%.2f"),
            "square_dependence": st.column_config.NumberColumn("dependence of squares", format="%.2f"),
            "dependence": st.column_config.NumberColumn("dependence", format="%.2f", help=say.DEPENDENCE),
            "dependent_on": st.column_config.NumberColumn("on component", format="%d"),
            "dependence_p": st.column_config.NumberColumn("p", format="%.3f", help=say.DEPENDENCE),
            "axis_gain": st.column_config.NumberColumn("axis gain", format="%.1f", help=say.AXIS_GAIN),
            "reason": st.column_config.TextColumn("why not", width="medium"),
            "block": st.column_config.NumberColumn("block", format="%d"),
        },
    )
    st.caption(say.DIAGNOSTICS)
    download(fitted, f"components_{name}")


def blocks(one: ShownSet, run: Run, layer: str) -> None:
    """Whether blocks of unidentified components come back in the other runs, as subspaces."""
    found = blocks_in_others(one, run, layer)
    if found.empty:
        return
    st.markdown("**Blocks in the other runs**")
    st.dataframe(
        found.assign(run=found["run"].map(labels))[["run", *found.columns.drop("run")]],
        hide_index=True,
        key=f"blocks_{run.id}",
        height="content",
        column_config={
            name: st.column_config.NumberColumn(title, format="%.2f")
            for name, title in (("lowest_r", "lowest cosine"), ("mean_r", "mean cosine"), ("null_r", "by chance"))
        },
    )
    st.caption(say.BLOCKS)


selection = current()
chosen, layer = selection.chosen, selection.layer

st.title("Components")

if selection.missing:  # app.py says what
    st.stop()
if chosen is None or not chosen.done or layer is None:
    st.info("There are no finished runs to look into yet.", icon=":material/inbox:")
    if may_change(user_store()) and st.button("Train runs", icon=":material/model_training:"):
        st.switch_page(routes.TRAIN)
    st.subheader("Or look at a planted truth")
    gallery()
    st.stop()

with st.expander("Planted truths: where the method works, and where it fails", icon=":material/school:"):
    gallery()

labels = run_labels(run.id for run in chosen.done)
runs = {run.id: run for run in chosen.done}
settings = asked_settings(chosen.done[0])

if settings is None:
    st.info(
        "No factor is known here, so components are shown for what they are: how far from Gaussian, whether they are "
        "found again, and whether they come back in other runs.",
        icon=":material/help:",
    )
    fitted = lookup_components(chosen, layer)
    if fitted is None:
        compute_components(chosen, layer)
        st.stop()
    run_id = choice("Run", labels, key="run") if len(runs) > 1 else next(iter(runs))
    diagnostics(fitted[run_id], run_id)
    blocks(chosen, runs[run_id], layer)
    component = st.selectbox("Component", range(fitted[run_id].rank), key="component", bind="query-params")
    with sentences():
        look_closer(chosen, runs[run_id], layer, Cell("ica", component))
    st.stop()

reports = lookup(chosen, layer, settings)
if reports is None:
    compute(chosen, layer, settings)
    st.stop()

verdict_card(chosen, layer, reports)

st.subheader("Which component goes with which factor?")
with st.container(horizontal=True, gap="large"):
    measure = choice("Measure", MEASURES, key="measure", help=say.MEASURE.format(bins=settings.bins))
    run_id = choice("Run", labels, key="run") if len(runs) > 1 else next(iter(runs))
report = reports.reports[run_id]
clicked = chart(
    lambda: figures.association_heatmaps(report, measure),
    key=f"association_heatmaps_{measure}_{run_id}",
    content=(key(chosen, layer, settings), run_id),
    about=say.HEATMAPS,
    alt=f"Components against factors by {MEASURES[measure]}, a heatmap a space. {report.verdict}",
    table=report.associations,
    clickable=True,
)
with sentences():
    look_closer(chosen, runs[run_id], layer, cell_of(report, measure, clicked))

st.subheader("What do the scores make of it?")
chart(
    lambda: figures.factor_scores(reports),
    key="factor_scores",
    content=(key(chosen, layer, settings),),
    about=say.SCORES.format(variant=settings.variant),
    alt=f"Scores by space with their nulls. {reports.verdict}",
    table=reports.table,
)
with st.expander("What each score cannot see"):
    for score in SCORES:
        st.markdown(
            f"**{score.title}**: {plain(score.description)}. *Blind to* {plain(score.blind_to)}. ({score.source})"
        )

st.subheader("Which components can be believed?")
diagnostics(report.components, run_id)
with sentences():
    blocks(chosen, runs[run_id], layer)

with st.expander(f"{count(int(report.directions['active'].sum()), 'active direction')} of {len(report.directions)}"):
    st.dataframe(report.directions, hide_index=True, key="directions", height="content")
    st.caption(say.DIRECTIONS)

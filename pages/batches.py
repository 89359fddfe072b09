"""Batches: which components are batch and which biology, what dropping them costs, and whether it holds."""

from dataclasses import replace

import streamlit as st

from nearid_core import figures
from nearid_core.batches import check_design
from nearid_core.batches.components_table import left_after
from nearid_core.batches.planes import pca_planes
from nearid_core.runs import common_layer
from pages.shared import routes
from pages.shared.batches import explanations as say
from pages.shared.batches.columns import asked_settings
from pages.shared.batches.dropping import cost, dropped_components, plane
from pages.shared.batches.looks import planes, plate
from pages.shared.batches.reports import compute, key, lookup, umap
from pages.shared.batches.tables import export, generalisation, tables
from pages.shared.cards import has_batches
from pages.shared.charts import chart
from pages.shared.choices import choice
from pages.shared.failures import sentences
from pages.shared.selection import current, link
from pages.shared.stores import may_change, user_store
from pages.shared.wording import count, plain

routes.enter()

selection = current()

st.title("Batches")

if selection.missing:  # app.py says what
    st.stop()
if selection.chosen is None or not selection.chosen.done:
    st.info("There is no table to look at yet. Import one on the Runs page.", icon=":material/inbox:")
    if may_change(user_store()) and st.button("Bring your own", icon=":material/upload_file:"):
        st.switch_page(routes.RUNS, query_params={"import": "1"})
    st.stop()

runs = {run.id: run for run in selection.chosen.done}
run = runs[choice("Table", list(runs), key="run")] if len(runs) > 1 else next(iter(runs.values()))
layer = selection.layer or common_layer([run])
settings = asked_settings(run)
if settings is None:
    st.info("Say above which column is the batch: the plate, the week, the donor.", icon=":material/tune:")
    for one in selection.sets:
        if has_batches(one):
            there = f"{plain(one.label)} has batches"
            st.page_link(routes.BATCHES, label=there, icon=":material/arrow_forward:", query_params=link(one))
    st.stop()

design = check_design(settings.columns(run.samples))
with st.container(border=True, key="design"):
    st.markdown(f"**Design.** {plain(design.sentence)}")
    with st.expander("Batches and labels"):
        chart(
            lambda: figures.crosstab(design.table),
            key="crosstab",
            about=say.DESIGN,
            alt="Rows of every batch and label",
            table=design.table,
        )

report = lookup(run, layer, settings)
if report is None:
    compute(run, layer, settings, label="Tell batch from biology", title="Telling batch from biology")
    st.stop()

answer, _, rest = report.verdict.partition(". ")
with st.container(border=True, key="verdict"):
    st.markdown(f"**{plain(run.title)}**")
    st.markdown(f"### {plain(answer.rstrip('.'))}.")
    st.markdown(plain(rest))
    for note in (note for note in report.notes if "inseparable" in note):
        st.markdown(f":material/warning: **{plain(note)}**")
    with st.expander("What this rests on"):
        for note in report.notes:
            st.markdown(f":material/info: {plain(note)}")

st.subheader("Which components are batch?")
drop = dropped_components(report, key(run, layer, settings))
cost(report, drop)
left, right = st.columns(2, gap="large")
with left:
    plane(report, drop)
with right:
    chart(
        lambda: figures.removal_curves(report.removal_curves, left_after(report.table, drop)),
        key="removal_curves",
        about=say.REMOVAL,
        alt=f"Biology left against batch left. {report.verdict}",
        table=report.removal_curves,
    )

suggested = tuple(drop) == report.drop
followed_settings = settings if suggested else replace(settings, drop=tuple(drop))
followed = report if suggested else lookup(run, layer, followed_settings)

st.subheader("What do the samples look like before and after?")
colour = choice("Colour by", [name for name in (settings.batch, settings.label) if name], key="colour")
with sentences():
    planes(run, pca_planes(report.values, report.correction(drop)), colour, "PCA", say.PLANES)
    laid_out = umap(run, layer, followed_settings)
    if laid_out is not None:
        planes(run, laid_out, colour, "UMAP", say.UMAP)
    else:
        compute(run, layer, followed_settings, kind="umap", label="Lay out by UMAP", title="Laying out by UMAP")

if settings.position:
    st.subheader("Where on the plate?")
    with sentences():
        plate(run, report)

st.subheader("Does it hold on batches never seen?")
if followed is None:
    st.info(
        f"AUROC, retrieval and mixing are known for the suggested {count(len(report.drop), 'component')}; for this "
        "choice they are read anew when you ask.",
        icon=":material/sync:",
    )
    compute(run, layer, followed_settings, label="Read them for this choice", title="Telling batch from biology")
else:
    generalisation(followed)
    tables(followed)

st.subheader("Take it along")
export(run, report, drop)

"""A run set in one card: what the runs agree on, or what is needed to know."""

import streamlit as st

from nearid_core import figures
from nearid_core.align import Comparison
from nearid_core.batches import settings_of
from nearid_core.factors import default_factors
from nearid_core.runs import common_layer
from pages.shared import routes
from pages.shared.batches.reports import lookup as lookup_report
from pages.shared.charts import chart
from pages.shared.comparisons import content, last_job, lookup, submit
from pages.shared.failures import sentences
from pages.shared.job_panel import ending
from pages.shared.selection import link
from pages.shared.stores import ShownSet, may_change
from pages.shared.wording import count, plain

REASONS = 3  # written out in a card; the Runs page has them all


def set_card(one: ShownSet) -> None:
    """A card on the Overview; what fails in it leaves the other cards as they are."""
    with st.container(border=True, key=f"card_{one.key}"), sentences():
        layer = common_layer(one.done) if one.comparable else None
        comparison = lookup(one, layer) if layer else None
        _heading(one, layer)
        if comparison is not None:
            _answer(one, comparison, layer)
        elif layer is not None:
            _offer_comparison(one, layer)
        elif not (has_batches(one) and _batch_answer(one)):
            say_what_is_lacking(one)


def badges(one: ShownSet, layer: str | None) -> None:
    """How many runs, which layer, what went wrong, at one glance."""
    with st.container(horizontal=True, gap="small"):
        if one.demo:
            st.badge("demo", icon=":material/science:", color="violet", help="Ships with nearid; it cannot be changed.")
        st.badge(count(len(one.done), one.noun), icon=":material/stacks:", color="blue")
        if layer and one.noun != "table":
            st.badge(f"layer {layer}", icon=":material/layers:", color="gray")
        failed = [run for run in one.runs.runs if run.status == "failed"]
        if failed:
            reasons = "  \n".join(plain(f"{run.id}: {run.reason}") for run in failed)
            st.badge(f"{len(failed)} failed", icon=":material/error:", color="red", help=reasons)
        if one.runs.missing:
            named = "  \n".join(plain(run_id) for run_id in one.runs.missing)
            st.badge(f"{len(one.runs.missing)} missing", icon=":material/link_off:", color="orange", help=named)


def say_what_is_lacking(one: ShownSet) -> None:
    """Why these runs cannot be compared, and what to do."""
    if not one.done:
        reasons = "".join(f"\n- {plain(f'seed {run.seed}: {run.reason}')}" for run in one.runs.runs[:REASONS])
        st.info(f"None of these runs has finished, so there is nothing to compare.{reasons}")
    elif len(one.done) == 1 and one.noun == "table":
        batches = " Its batches can be told from its biology." if has_batches(one) else ""
        st.info(
            f"This is one table.{batches} Import it together with another of the same samples to see how they agree."
        )
    elif len(one.done) == 1:
        st.info("There is one finished run; an agreement needs at least two. Train another seed of this configuration.")
        if (
            one.runs.runs[0].config
            and may_change(one.store)
            and st.button("Train a second seed", key=f"second_{one.key}", icon=":material/model_training:")
        ):
            st.switch_page(routes.TRAIN, query_params=link(one) | {"from": one.done[0].id})
    else:
        common_layer(one.done)  # raises with the layers that each run has


def has_batches(one: ShownSet) -> bool:
    """Whether the data say which column is the batch."""
    return any(run.dataset.get("batch") for run in one.done)


def has_factors(one: ShownSet) -> bool:
    """Whether the data say what produced them, beyond a class."""
    return any(len(default_factors(run)) > 1 for run in one.done)


def _heading(one: ShownSet, layer: str | None) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.markdown(f"**{plain(one.runs.title)}**", width="content")
        with st.container(horizontal=True, width="content"):
            if has_batches(one) and st.button("Batches", key=f"batches_{one.key}", icon=":material/biotech:"):
                st.switch_page(routes.BATCHES, query_params=link(one))
            if has_factors(one) and st.button("Components", key=f"components_{one.key}", icon=":material/hub:"):
                st.switch_page(routes.COMPONENTS, query_params=link(one, layer))
            if one.comparable and st.button("Details", key=f"open_{one.key}", icon=":material/arrow_forward:"):
                st.switch_page(routes.ALIGNMENT, query_params=link(one, layer))
    badges(one, layer)


def _answer(one: ShownSet, comparison: Comparison, layer: str) -> None:
    st.markdown(f"##### {plain(comparison.verdict)}")
    chart(
        lambda: figures.error_by_group(comparison, height=260, brief=True),
        key=f"overview_{one.key}_{layer}",
        content=content(one, layer),
        about="Held-out error after the best map of each group. Dots: ordered pairs of runs; bars: their mean with a "
        "95% interval. Grey: controls that know nothing of the other run.",
        alt=f"Error by transformation group. {comparison.verdict}",
    )


def _batch_answer(one: ShownSet) -> bool:
    """What the batch report says, where there is one."""
    run = one.done[0]
    report = lookup_report(run, common_layer([run]), settings_of(run))
    if report is not None:
        st.markdown(f"##### {plain(report.verdict.partition('. ')[0].rstrip('.'))}.")
        st.caption(plain(report.design.sentence))
    return report is not None


def _offer_comparison(one: ShownSet, layer: str) -> None:
    job = last_job(one, layer)
    if job is not None and not job.over:
        st.info("This set is being compared. Details shows how far it is.", icon=":material/hourglass_empty:")
        return
    if job is not None:
        ending(job)
    st.markdown(
        f"Not compared yet: {count(len(one.done), 'run')}, {len(one.done) * (len(one.done) - 1)} ordered pairs."
    )
    if st.button("Compare", key=f"compare_{one.key}", icon=":material/compare_arrows:"):
        submit(one, layer)
        st.switch_page(routes.ALIGNMENT, query_params=link(one, layer))

"""Train: make runs that differ only in their seed, and watch their loss."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from nearid_core import figures
from nearid_core.datasets import DATASETS
from nearid_core.errors import NearIdError
from nearid_core.jobs import JobStatus
from nearid_core.jobs.estimate import training_seconds
from nearid_core.models import FAMILIES
from nearid_core.training import TrainConfig, parse_seeds
from pages.shared import routes
from pages.shared.charts import chart
from pages.shared.failures import sentences
from pages.shared.job_panel import job_list, watch
from pages.shared.samples import look_at
from pages.shared.setting_inputs import fill, setting_inputs
from pages.shared.stores import explain_unchangeable, may_change, queue, user_store
from pages.shared.wording import count, duration, plain

routes.enter()

store, jobs = user_store(), queue()


def take_over(run_id: str) -> None:
    """Enter the configuration of a run into the form, with the next seed."""
    run = store.get(run_id)
    if run.config is None:
        return
    fill(run.config)
    st.session_state["train_dataset"], st.session_state["train_family"] = run.config.dataset, run.config.family
    taken = [other.seed for other in store.runs() if other.set_id == run.set_id and other.seed is not None]
    st.session_state["train_seeds"] = str(max(taken) + 1)


def start(config: TrainConfig, seeds: list[int]) -> None:
    """What will happen, and the button for it."""
    there = [seed for seed in seeds if config.run_id(seed) in store]
    st.caption(
        f"Run set `{config.set_id}` · {count(len(seeds), 'seed')} · {expectation(config, len(seeds) - len(there))}"
    )
    if there:
        st.caption(f"{count(len(there), 'seed is', 'seeds are')} in the store already and will be left as they are.")
    if st.button("Start training", type="primary", icon=":material/play_arrow:", disabled=len(there) == len(seeds)):
        jobs.submit("train", {"config": config.to_dict(), "seeds": seeds, "store": str(store.path), "device": "auto"})
        st.rerun()


def expectation(config: TrainConfig, missing: int) -> str:
    """How long it will take, where earlier runs of this shape tell."""
    seconds = training_seconds(store, config, missing)
    if seconds is None:
        return "no run of this shape in the store yet that would tell how long it takes"
    return f"about {duration(seconds)}, as earlier runs of this shape took"


def title_of(request: Mapping[str, Any]) -> str:
    config = request["config"]
    return plain(f"{config['dataset']} {config['family']}, {count(len(request['seeds']), 'seed')}")


def loss_so_far(status: JobStatus) -> None:
    """What the worker has reported: the loss of each seed, and how fast it goes."""
    reports = [report for report in jobs.history(status.id) if report.detail.get("loss")]
    if not reports:
        return
    set_id = TrainConfig.from_dict(status.request["config"]).set_id
    chart(
        lambda: figures.live_loss(reports, set_id=set_id),
        key=f"loss_{status.id}",
        about=f"Training loss of each seed so far · {reports[-1].detail.get('samples_per_second', 0):,.0f} samples/s",
        alt="Training loss against step, one line a seed",
    )


def result(status: JobStatus) -> None:
    """What came out of a training that is done: the way to its runs, and the seeds that failed."""
    failed = status.result["failed"]
    if failed:
        reasons = "  \n".join(plain(f"{run_id}: {reason}") for run_id, reason in failed.items())
        st.badge(f"{len(failed)} failed", icon=":material/error:", color="red", help=reasons)
    if status.result["runs"] and st.button("Alignment", key=f"align_{status.id}", icon=":material/arrow_forward:"):
        st.switch_page(routes.ALIGNMENT, query_params={"set": TrainConfig.from_dict(status.request["config"]).set_id})


st.title("Train")
st.markdown("Train one configuration from several seeds. A seed decides initialisation and data order, nothing else.")
explain_unchangeable(store)

if "from" in st.query_params:
    with sentences():
        take_over(st.query_params.pop("from"))

for status in jobs.list():
    if status.kind == "train" and not status.over:
        watch(jobs, status.id, title=title_of(status.request), detail=loss_so_far)

if may_change(store):
    form, look = st.columns([3, 2], gap="large")
    with form:
        dataset_field, family_field, seeds_field = st.columns(3)
        dataset = dataset_field.selectbox("dataset", DATASETS.names(), key="train_dataset", persist_state="session")
        family = family_field.selectbox("family", FAMILIES.names(), key="train_family", persist_state="session")
        text = seeds_field.text_input(
            "seeds", "0-3", key="train_seeds", persist_state="session", help='Such as "0-7" or "0,2,5".'
        )
        given = setting_inputs(dataset, family)
        try:
            start(TrainConfig.from_settings(dataset, family, given), parse_seeds(text))
        except NearIdError as error:
            st.error(plain(str(error)), icon=":material/block:")
    with look:
        look_at(dataset, given)

st.subheader("Earlier trainings")
job_list(jobs, "train", title_of, result)

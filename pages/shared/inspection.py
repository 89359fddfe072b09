"""A look into runs: how they were trained, how their loss went, what they make of a sample."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from nearid_core import figures
from nearid_core.errors import NearIdError
from nearid_core.figures.appearance import run_labels
from nearid_core.runs import Run
from pages.shared.charts import chart
from pages.shared.samples import load
from pages.shared.wording import duration, moment, number, plain, when

SHOWN = 10  # samples rebuilt


def inspect(run: Run) -> None:
    """One run in full."""
    st.subheader(plain(run.id))
    if run.status == "failed":
        st.error(plain(run.reason or "It failed without a reason."), icon=":material/error:")
    facts = {"trained" if run.config else "imported": when(moment(run.created)), "took": duration(run.seconds)}
    facts |= {name: number(value) for name, value in run.metrics.items()}
    facts |= {"layers": ", ".join(f"{name} ({entry['shape'][1]})" for name, entry in run.record["layers"].items())}
    st.caption(plain(" · ".join(f"{name} {value}" for name, value in facts.items() if value)))
    left, right = st.columns(2, gap="large")
    with left:
        if run.config:
            _curves([run])
        else:
            st.dataframe(run.samples.head(SHOWN).astype(str), hide_index=True, key=f"samples_{run.id}", height=320)
    with right:
        st.dataframe(_settings([run]), hide_index=True, key=f"settings_{run.id}", height=320)
    _reconstructions(run)


def differing_settings(runs: list[Run]) -> None:
    """What differs between runs, and their curves together."""
    left, right = st.columns(2, gap="large")
    with left:
        _curves(runs)
    with right:
        settings = _settings(runs)
        values = settings.drop(columns="setting")
        differs = values.ne(values.iloc[:, 0], axis="index").any(axis="columns")
        if differs.any():
            st.markdown("**Settings that differ**")
            st.dataframe(settings[differs], hide_index=True, key="settings_diff")
        else:
            st.caption("These runs have the same settings.")


def _settings(runs: list[Run]) -> pd.DataFrame:
    """One row a setting, one column a run; as text, since a column holds one type."""
    flat, labels = {}, run_labels(run.id for run in runs)
    for run in runs:
        if run.config is None:
            flat[labels[run.id]] = _origin(run)
            continue
        config = dict(run.record.get("config") or {})
        options = config.pop("options", {})
        flat[labels[run.id]] = {"seed": run.seed, **config, **options, "device": run.plan.get("device")}
    names = list(dict.fromkeys(name for settings in flat.values() for name in settings))
    columns = {label: [_text(settings.get(name)) for name in names] for label, settings in flat.items()}
    return pd.DataFrame({"setting": names, **columns})


def _origin(run: Run) -> dict[str, Any]:
    """Where an imported run came from, and which of its columns is what."""
    roles = ("batch", "label", "control", "group", "position", "dose", "replicate", "level")
    named = {role: run.dataset[role] for role in roles if run.dataset.get(role)}
    return {"files": run.record.get("source", {}).get("files", []), "seed": run.seed, **named}


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(str(entry) for entry in value)
    return "–" if value is None else str(value)


def _curves(runs: list[Run]) -> None:
    with_history = [run for run in runs if "history.parquet" in run.record["files"]]
    chart(
        lambda: figures.training_curves(with_history),
        key=f"curves_{'_'.join(run.id for run in runs)}",
        about="Training loss, mean over each epoch.",
        alt="Training loss against step, one line a run",
        table=pd.concat([run.history.assign(run=run.id) for run in with_history]) if with_history else None,
    )


def _reconstructions(run: Run) -> None:
    """Held-back samples above what the run makes of them."""
    shape = run.dataset.get("image_shape")
    if run.config is None or "output" not in run.layers or not shape:
        return
    try:
        dataset = load(run.config.dataset, run.config.dataset_options)
        outputs = run.representation("output")
    except NearIdError as error:
        st.caption(plain(str(error)))
        return
    rows = np.flatnonzero((run.samples["split"] == "test").to_numpy())[:SHOWN]
    inputs = dataset.images[dataset.samples.set_index("sample_id").index.get_indexer(outputs.sample_ids[rows])]
    chart(
        lambda: figures.image_rows({"input": inputs, "output": outputs.values[rows].reshape(-1, *shape)}),
        key=f"reconstructions_{run.id}",
        about="Samples that the run did not train on, and what it makes of them through its latent layer.",
        alt="Input images above their reconstructions",
    )

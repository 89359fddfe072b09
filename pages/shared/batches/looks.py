"""Samples and wells before and after."""

import streamlit as st

from nearid_core import figures
from nearid_core.batches import BatchReport
from nearid_core.batches.planes import Planes
from nearid_core.batches.position import on_plate
from nearid_core.runs import Run
from pages.shared.batches import explanations as say
from pages.shared.charts import chart


def planes(run: Run, shown: Planes, colour: str, name: str, about: str) -> None:
    titles = (f"{name}, all components", f"{name}, kept components")
    note = "" if len(shown.rows) == len(run.samples) else f" A sample of {len(shown.rows):,} of {len(run.samples):,}."
    chart(
        lambda: figures.before_after(shown.before, shown.after, run.samples[colour].iloc[shown.rows], titles),
        key=f"{name}_{colour}",
        about=about + note,
        alt=f"{name} before and after dropping components, coloured by {colour}",
    )


def plate(run: Run, report: BatchReport) -> None:
    """One component by well, of one batch or of all."""
    settings = report.settings
    left, right = st.columns(2)
    component = left.selectbox("Component", range(report.components.rank), report.most_batch[0], key="plate_component")
    batches = ["all", *sorted(run.samples[settings["batch"]].astype(str).unique())]
    batch = right.selectbox("Batch", batches, key="plate_batch")
    rows = run.samples[settings["position"]].notna()
    rows &= (run.samples[settings["batch"]].astype(str) == batch) | (batch == "all")
    chart(
        lambda: figures.plate_map(
            on_plate(
                run.samples.loc[rows, settings["position"]].to_numpy(),
                report.components.transform(report.values[rows.to_numpy()])[:, component],
            ),
            f"mean of component {component}",
        ),
        key=f"plate_{component}_{batch}",
        about=say.PLATE,
        alt=f"Component {component} by well",
    )

"""One component of a run: against a factor, decoded along its range, its extreme samples, and in other runs."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from nearid_core import figures
from nearid_core.digest import json_digest
from nearid_core.errors import NearIdError
from nearid_core.factors import SPACES, can_traverse, traverse
from nearid_core.factors.partners import Partner, Seen, held_out_coordinates, partners
from nearid_core.figures.appearance import run_labels
from nearid_core.runs import Run
from pages.shared.charts import chart
from pages.shared.components import explanations as say
from pages.shared.samples import load
from pages.shared.stores import ShownSet
from pages.shared.wording import plain

STEPS, ENDS, RUNS = 9, 9, 6


@dataclass(frozen=True)
class Cell:
    """What is looked at: a component of a space, and the factor it is held against, if any."""

    space: str
    component: int
    factor: str | None = None


def look_closer(chosen: ShownSet, run: Run, layer: str, cell: Cell) -> None:
    seen = _coordinates(_key(run, layer, cell.space), run, layer, cell.space)
    if cell.component >= seen.values.shape[1]:
        return
    others = [other for other in chosen.done if other.id != run.id][: RUNS - 1]
    known = {other.id: _coordinates(_key(other, layer, cell.space), other, layer, cell.space) for other in others}
    found = partners(seen, cell.component, known)
    named = f"{SPACES[cell.space].title} component {cell.component}"
    st.subheader(plain(named if cell.factor is None else f"{named} and {cell.factor}"))
    known_axis = seen.identified is None or bool(seen.identified[cell.component])
    _comes_back(found, chosen, identified=known_axis)
    if cell.factor is None:
        if can_traverse(run, layer):
            _strips(run, others, found, cell)
        _ends(run, seen, cell)
        return
    left, right = st.columns([1, 2], gap="large")
    with left:
        _scatter(run, seen, cell)
    with right:
        if can_traverse(run, layer):
            _strips(run, others, found, cell)
        else:
            _ends(run, seen, cell)
    if can_traverse(run, layer):
        _ends(run, seen, cell)


def _comes_back(found: dict[str, Partner], chosen: ShownSet, *, identified: bool) -> None:
    if not found:
        return
    labels = run_labels(run.id for run in chosen.done)
    told = [
        f"{labels[run]}: component {one.component}, |r| {abs(one.r):.2f}" if one.component is not None else
        f"{labels[run]}: none"
        for run, one in found.items()
    ]  # fmt: skip
    back = sum(abs(one.r) >= 0.9 for one in found.values())
    st.markdown(f"Comes back in **{back} of {len(found)}** other {chosen.noun}s (|r| ≥ .9). {plain('; '.join(told))}.")
    if back and not identified:
        st.caption(say.SHARED_SAMPLES)


def _scatter(run: Run, seen: Seen, cell: Cell) -> None:
    by_id = run.samples.set_index(run.samples["sample_id"].astype(str))[cell.factor].reindex(seen.sample_ids)
    rows = np.flatnonzero(by_id.notna().to_numpy())
    rows = rows[np.sort(np.random.default_rng(0).permutation(len(rows))[: figures.factors.POINTS])]
    values = seen.values[rows, cell.component]
    note = "" if len(rows) == len(seen.values) else f" {len(rows):,} of {len(seen.values):,}, drawn at random."
    chart(
        lambda: figures.component_scatter(
            values, by_id.iloc[rows], names=(f"component {cell.component}", str(cell.factor))
        ),
        key=f"scatter_{cell.space}_{cell.component}_{cell.factor}",
        about=say.SCATTER + note,
        alt=f"{SPACES[cell.space].title} component {cell.component} against {cell.factor}",
        table=pd.DataFrame(
            {"sample_id": seen.sample_ids[rows], "component": values, cell.factor: by_id.iloc[rows].to_numpy()}
        ),
    )


def _strips(run: Run, others: list[Run], found: dict[str, Partner], cell: Cell) -> None:
    """The traversal of this run, and of its partners in the others; those that run the other way are turned."""
    labels = run_labels([run.id, *(other.id for other in others)])
    try:
        rows = {labels[run.id]: _traversal(_key(run, "latent", cell.space), run, cell.component, cell.space)}
        for other in others:
            partner = found[other.id]
            if partner.component is None:
                continue
            strip = _traversal(_key(other, "latent", cell.space), other, partner.component, cell.space)
            rows[f"{labels[other.id]} · |r| {abs(partner.r):.2f}"] = strip if partner.r >= 0 else strip[::-1]
    except NearIdError as error:
        st.caption(plain(str(error)))
        return
    if next(iter(rows.values())).ndim != 4:
        st.caption("These samples are no images, so the traversal is not drawn; nid.traverse returns its numbers.")
        return
    chart(
        lambda: figures.image_rows(rows, height=40 + 76 * len(rows)),
        key=f"traversal_{cell.space}_{cell.component}",
        about=say.TRAVERSAL,
        alt=f"Images decoded along component {cell.component}, one row a run",
    )


def _ends(run: Run, seen: Seen, cell: Cell) -> None:
    low, high = seen.ends(cell.component, ENDS)
    images = _images(run, np.concatenate([low, high]))
    if images is not None:
        chart(
            lambda: figures.image_rows({"lowest": images[: len(low)], "highest": images[len(low) :]}, height=190),
            key=f"ends_{cell.space}_{cell.component}",
            about=say.ENDS,
            alt=f"Samples with the lowest and the highest values of component {cell.component}",
        )
        return
    table = run.samples.set_index(run.samples["sample_id"].astype(str))
    for title, ids, column in zip(("Lowest", "Highest"), (low, high), st.columns(2), strict=True):
        column.markdown(f"**{title}**")
        column.dataframe(table.loc[ids].map(_text), hide_index=True, key=f"ends_{title}", height="content")
    st.caption(say.ENDS)


def _text(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _images(run: Run, sample_ids: np.ndarray) -> np.ndarray | None:
    """Of these samples, where the run's dataset has images and is here."""
    if run.config is None or not run.dataset.get("image_shape"):
        return None
    try:
        dataset = load(run.config.dataset, run.config.dataset_options)
    except NearIdError:
        return None
    return dataset.images[dataset.samples.set_index("sample_id").index.get_indexer(sample_ids)]


def _key(run: Run, layer: str, space: str) -> str:
    return json_digest([run.id, run.record["layers"][layer]["digest"], space])


@st.cache_resource(max_entries=64, show_spinner=False)
def _coordinates(made_of: str, _run: Run, layer: str, space: str) -> Seen:
    return held_out_coordinates(_run, layer, space)


@st.cache_resource(max_entries=256, show_spinner="Decoding")
def _traversal(made_of: str, _run: Run, component: int, space: str) -> np.ndarray:
    return traverse(_run, component, space=space, steps=STEPS)

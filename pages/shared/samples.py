"""A look at what models learn from."""

from pathlib import Path
from typing import Any

import streamlit as st

from nearid_core import figures
from nearid_core.datasets import DATASETS, Dataset, load_dataset
from nearid_core.errors import NearIdError
from nearid_core.options import canonical_json, resolve
from pages.shared.charts import chart
from pages.shared.wording import plain

ACROSS, CLASSES = 8, 10


def look_at(name: str, given: dict[str, Any]) -> None:
    """Some samples as images, or their factors as a table; settings of the dataset that `given` holds are heeded."""
    st.markdown(f"**{name}**: {plain(DATASETS[name].description)}")
    declared = {option.name for option in DATASETS[name].options}
    try:
        settings = resolve(DATASETS[name].options, {key: given[key] for key in given if key in declared}, name)
    except NearIdError:
        return  # the form says what is wrong
    try:
        dataset = load(name, settings)
    except NearIdError as error:  # a file that is not there, or not as it should be
        st.error(plain(str(error)), icon=":material/block:")
        return
    st.caption(plain(dataset.describe()))
    if dataset.images is not None:
        _images(dataset)
    else:
        st.dataframe(dataset.samples.head(8), hide_index=True, key=f"look_{name}")


def load(name: str, options: dict[str, Any]) -> Dataset:
    """The dataset of these options; kept for every page and visitor, and not to be changed."""
    return _load(name, canonical_json(options) + _version(options.get("path")), options)


def _version(path: str | None) -> str:
    """Tells a file from what it was before it was changed."""
    try:
        return "" if path is None else str(Path(path).expanduser().stat().st_mtime_ns)
    except OSError:
        return ""


@st.cache_resource(max_entries=4, show_spinner="Loading the dataset")
def _load(name: str, key: str, _options: dict[str, Any]) -> Dataset:
    options = dict(_options)
    return load_dataset(name, n=options.pop("n", None), seed=options.pop("data_seed", 0), **options)


def _images(dataset: Dataset) -> None:
    """Some samples of each class, or the first ones where there are no classes."""
    samples, images = dataset.samples, dataset.images
    classes = [] if dataset.label is None else sorted(samples[dataset.label].unique())[:CLASSES]
    rows = {str(value): images[samples[dataset.label] == value][:ACROSS] for value in classes}
    chart(
        lambda: figures.image_rows(rows or {"samples": images[:ACROSS]}, height=60 + 30 * len(rows or [0])),
        key=f"look_{dataset.name}",
        about=f"The first samples of each {plain(dataset.label)}." if dataset.label else "The first samples.",
        alt=f"Some images of {dataset.name}",
    )

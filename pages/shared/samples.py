"""A look at what models learn from."""

from typing import Any

import streamlit as st

from nearid_core import figures
from nearid_core.datasets import DATASETS, Dataset, load_dataset
from nearid_core.errors import NearIdError
from nearid_core.options import canonical_json
from pages.shared.charts import chart
from pages.shared.wording import plain

ACROSS, DOWN = 8, 3


def look_at(name: str, given: dict[str, Any]) -> None:
    """Some samples as images, or their factors as a table; settings of the dataset that `given` holds are heeded."""
    st.markdown(f"**{name}**: {plain(DATASETS[name].description)}")
    declared = {option.name for option in DATASETS[name].options}
    try:
        dataset = load(name, {key: value for key, value in given.items() if key in declared})
    except NearIdError:
        return  # the form says what is wrong
    st.caption(plain(dataset.describe()))
    if dataset.images is not None:
        _images(dataset)
    else:
        st.dataframe(dataset.samples.head(8), hide_index=True, key=f"look_{name}")


def load(name: str, options: dict[str, Any]) -> Dataset:
    """The dataset of these options; kept for every page and visitor, and not to be changed."""
    return _load(name, canonical_json(options), options)


@st.cache_resource(max_entries=4, show_spinner="Loading the dataset")
def _load(name: str, key: str, _options: dict[str, Any]) -> Dataset:
    options = dict(_options)
    return load_dataset(name, n=options.pop("n", None), seed=options.pop("data_seed", 0), **options)


def _images(dataset: Dataset) -> None:
    images = dataset.images
    chart(
        lambda: figures.image_rows({str(row): images[row * ACROSS : (row + 1) * ACROSS] for row in range(DOWN)}),
        key=f"look_{dataset.name}",
        about=f"The first {ACROSS * DOWN} samples.",
        alt=f"{ACROSS * DOWN} images of {dataset.name}",
    )

"""What leaves: a layer beside its samples, component loadings, whole runs as a zip; and zips that come in."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import streamlit as st

from nearid_core.exchange import export_loadings, export_representation
from nearid_core.runs import Run, RunSet, RunStore, common_layer
from nearid_core.runs.archive import export_run, export_set
from pages.shared import routes
from pages.shared.failures import sentences
from pages.shared.selection import link
from pages.shared.stores import shown_sets
from pages.shared.wording import plain

_SPACES = {"raw": "as stored", "pca": "whitened principal components", "ica": "independent components"}
_FORMATS = {"parquet": "Parquet", "csv": "CSV", "npz": "NumPy (npz)", "h5ad": "AnnData (h5ad)"}
_ADDS = "A zip that another store adds, with its digests checked on both sides."
_LOADINGS = "loadings"
_ADDED = "added_set"


def export_menu(runs: list[Run]) -> None:
    """What can be downloaded of the selected runs. Nothing is computed before somebody asks for it."""
    with st.popover("Export", icon=":material/download:"):
        if len(runs) == 1 and runs[0].layers:
            _representation(runs[0])
            st.divider()
        if len(runs) == 1:
            _button("The whole run", f"{runs[0].id}.zip", lambda path: export_run(runs[0], path), _ADDS)
        else:
            chosen = _as_set(runs)
            _button("These runs as one zip", f"{chosen.id}.zip", lambda path: export_set(chosen, path), _ADDS)


def add_runs(store: RunStore) -> None:
    """A zip of runs from elsewhere."""
    with st.popover("Add a zip of runs", icon=":material/folder_zip:"):
        dropped = st.file_uploader("A zip that nearid exported", type="zip", key="add_zip")
        path = st.text_input("Or its path on this machine", key="add_zip_path", placeholder="/data/runs.zip")
        source = dropped or (Path(path).expanduser() if path.strip() else None)
        if st.button("Add", key="add_archive", disabled=source is None) and source is not None:
            with sentences():
                added = store.add_archive(source)
                st.session_state[_ADDED] = added[0].set_id


def say_added() -> None:
    """What the last zip brought, and the way to it."""
    one = next((one for one in shown_sets() if not one.demo and one.runs.id == st.session_state.get(_ADDED)), None)
    if one is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.success(f"{plain(one.runs.title)} was added.")
        if one.comparable:
            st.page_link(routes.ALIGNMENT, label="Alignment", icon=":material/compare_arrows:", query_params=link(one))


def _representation(run: Run) -> None:
    layer = common_layer([run])
    if len(run.layers) > 1:
        layer = st.selectbox("Layer", run.layers, run.layers.index(layer), key=f"export_layer_{run.id}")
    space = st.selectbox("Coordinates", list(_SPACES), format_func=_SPACES.get, key=f"export_space_{run.id}")
    kind = st.selectbox("File", list(_FORMATS), format_func=_FORMATS.get, key=f"export_format_{run.id}")
    rows, width = run.record["layers"][layer]["shape"]
    _button(
        f"{rows:,} samples beside what is known of them",
        f"{run.id}-{layer}-{space}.{kind}",
        lambda path: export_representation(run, layer, path, space=space),
        f"{width:,} features in their own order."
        if space == "raw"
        else "Components are fitted on all rows when you click: seconds, or a minute for hundreds of features.",
    )
    if space == "ica":
        _button(
            "What each component adds to each feature",
            f"{run.id}-{layer}-{_LOADINGS}.csv",
            lambda path: _write_loadings(run, layer, path),
            "One row a feature, one column a component, in the feature's unit.",
        )


def _write_loadings(run: Run, layer: str, path: Path) -> None:
    from nearid_core.components import fit_components

    values = run.representation(layer).values
    export_loadings(fit_components(values), path, features=run.feature_names(layer))


def _button(label: str, name: str, write: Callable[[Path], object], about: str) -> None:
    """A download that is written when it is clicked, in a folder that is gone afterwards."""

    def content() -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            write(path)
            return path.read_bytes()

    icon = ":material/download:"
    st.download_button(label, content, name, key=f"export_{name}", on_click="ignore", icon=icon, help=about)


def _as_set(runs: list[Run]) -> RunSet:
    """The set that these runs are, or a choice of them."""
    of_one = {run.set_id for run in runs}
    title = runs[0].title if len(of_one) == 1 else f"{len(runs)} runs"
    return RunSet(runs[0].set_id if len(of_one) == 1 else "selected-runs", title, tuple(runs))

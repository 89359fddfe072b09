"""Files that leave the Runs page, and the zip that comes back; a file is made when asked for, never on a rerun."""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from nearid_core.runs import Run, RunSet, RunStore, common_layer
from pages.shared import routes
from pages.shared.failures import sentences
from pages.shared.selection import link
from pages.shared.stores import ShownSet, may_change
from pages.shared.wording import count, megabytes, plain

_SPACES = {"raw": "as stored", "pca": "whitened principal components", "ica": "independent components"}
_FORMATS = ("parquet", "csv", "npz", "h5ad")
_FORMAT_HELP = "npz is NumPy's; h5ad is AnnData's, for scanpy: `sc.pp.neighbors(data, use_rep='X_nearid')`."
_ADDED = "added_archive"
_PREPARED = "prepared_export"


def export(runs: Sequence[Run], store: RunStore) -> None:
    """What the selected runs of one store can be saved as: a layer and its loadings, or a zip."""
    with st.popover("Export", icon=":material/download:"):
        if len(runs) == 1:
            _export_one(runs[0])
        else:
            _export_several(runs, store)


def add_zip(store: RunStore) -> None:
    """Take the runs of a zip into the store, where it may be changed."""
    if not may_change(store):
        return
    with st.popover("Add a zip of runs", icon=":material/upload_file:"):
        st.caption("A zip that Export made here or elsewhere. All of its runs are added, or none.")
        file = st.file_uploader("Zip of runs", type="zip", key="archive_file", label_visibility="collapsed")
        if st.button("Add", disabled=file is None, key="add_archive") and file is not None:
            _add(store, file)


def tell_added(store: RunStore) -> None:
    """After an archive was added: how many runs, and a way to their set."""
    added = st.session_state.pop(_ADDED, None)
    if not added or not may_change(store):
        return
    homes = [one for one in store.sets() if set(added) <= {run.id for run in one.runs}]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.success(f"{count(len(added), 'run')} added.")
        if homes:  # a saved choice comes after the trained sets
            shown = ShownSet(homes[-1], store, demo=False)
            st.page_link(
                routes.ALIGNMENT,
                label=f"Open {plain(homes[-1].title)}",
                icon=":material/compare_arrows:",
                query_params=link(shown),
            )


def _add(store: RunStore, file: st.runtime.uploaded_file_manager.UploadedFile) -> None:
    added: list[Run] = []
    with sentences(), st.spinner("Checking and adding the runs"):
        added = store.add_archive(file)
    if added:
        st.session_state[_ADDED] = [run.id for run in added]
        st.rerun()


def _export_one(run: Run) -> None:
    if run.layers:
        layer = st.selectbox("Layer", run.layers, run.layers.index(common_layer([run])), key=f"export_layer_{run.id}")
        space = st.selectbox("Space", list(_SPACES), format_func=_SPACES.__getitem__, key="export_space")
        kind = st.segmented_control(
            "Format", _FORMATS, default="parquet", required=True, key="export_format", help=_FORMAT_HELP
        )
        offer("Prepare embedding", f"{run.id}_{layer}_{space}.{kind}", lambda file: _embedding(run, layer, space, file))
        with st.container(horizontal=True):
            for table in ("csv", "parquet"):
                name = f"{run.id}_{layer}_loadings.{table}"
                offer(f"Loadings, {table}", name, lambda file: _loadings(run, layer, file))
    offer("Run as a zip", f"{run.id}.zip", lambda file: _run_zip(run, file))


def _export_several(runs: Sequence[Run], store: RunStore) -> None:
    ids = {run.id for run in runs}
    homes = [one for one in store.sets() if ids <= {run.id for run in one.runs}]
    if not homes:
        st.caption("These runs are of several sets; select runs of one set, or save these as a set first.")
        return
    whole = next((one for one in homes if ids == {run.id for run in one.runs}), None)
    if whole is None:
        chosen = RunSet(homes[0].id, homes[0].title, tuple(runs))
        offer(f"{count(len(runs), 'run')} as a zip", f"{homes[0].id}_part.zip", lambda file: _set_zip(chosen, file))
    whole = whole or homes[0]
    label = f"The whole set as a zip ({count(len(whole.runs), 'run')})"
    offer(label, f"{whole.id}.zip", lambda file: _set_zip(whole, file))


def offer(label: str, name: str, write: Callable[[Path], object]) -> None:
    """A button that makes the file, then one that saves it: a callable behind a download cannot say why it failed.

    The session keeps the file that was made last, and no other.
    """
    if st.button(label, key=f"prepare_{name}", icon=":material/description:"):
        with sentences(), st.spinner(f"Preparing {plain(name)}"):
            st.session_state[_PREPARED] = (name, _written(name, write))
    made, content = st.session_state.get(_PREPARED, (None, b""))
    if made == name:
        st.download_button(
            f"Save ({megabytes(len(content))})",
            content,
            file_name=name,
            key=f"export_{name}",
            on_click="ignore",
            icon=":material/download:",
            type="primary",
        )


def _written(name: str, write: Callable[[Path], object]) -> bytes:
    """What `write` puts into a file of this name."""
    with tempfile.TemporaryDirectory(prefix="nearid-") as folder:
        file = Path(folder) / name
        write(file)
        return file.read_bytes()


def _embedding(run: Run, layer: str, space: str, file: Path) -> None:
    from nearid_core.exchange import export_representation

    export_representation(run, layer, file, space=space)


def _loadings(run: Run, layer: str, file: Path) -> None:
    from nearid_core.components import fit_components
    from nearid_core.exchange import export_loadings

    components = fit_components(run.representation(layer).values, seed=0, name=layer)
    export_loadings(components, file, features=run.feature_names(layer))


def _run_zip(run: Run, file: Path) -> None:
    from nearid_core.runs.archive import export_run

    export_run(run, file)


def _set_zip(runs: RunSet, file: Path) -> None:
    from nearid_core.runs.archive import export_set

    export_set(runs, file)

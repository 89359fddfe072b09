"""What leaves through the Runs page, and what comes back in."""

from __future__ import annotations

import io
from pathlib import Path

import anndata
import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import nearid_core as nid
from nearid_core.runs import RunStore
from pages.shared import exporting
from tests.fabricate import fabricate_runs
from tests.pages.conftest import Open, text
from tests.pages.test_runs import select


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """What the download buttons would give, by file name: AppTest shows the buttons, but does not press them."""
    files: dict[str, bytes] = {}

    def record(label: str, content: object, name: str, **_: object) -> None:
        files[name] = content()  # type: ignore[operator]

    monkeypatch.setattr(exporting.st, "download_button", record)
    return files


def choose(app: AppTest, kind: str, space: str = "raw") -> AppTest:
    for name, value in (("export_space", space), ("export_format", kind)):
        box = next(box for box in app.selectbox if box.key.startswith(name))
        app = box.set_value(value).run()
    assert not app.exception
    return app


@pytest.mark.parametrize("kind", ["parquet", "csv", "npz", "h5ad"])
def test_a_layer_leaves_as_it_is_stored(
    open_page: Open, store: RunStore, offered: dict[str, bytes], tmp_path: Path, kind: str
) -> None:
    run = fabricate_runs(store, range(1))[0]
    choose(select(open_page("runs"), 0), kind)
    content = offered[f"{run.id}-latent-raw.{kind}"]
    values = run.representation("latent").values
    (tmp_path / f"file.{kind}").write_bytes(content)
    np.testing.assert_allclose(read_back(tmp_path / f"file.{kind}", values.shape[1]), values, rtol=1e-6)


def read_back(path: Path, width: int) -> np.ndarray:
    if path.suffix == ".npz":
        return np.load(path, allow_pickle=False)["values"]
    if path.suffix == ".h5ad":
        return anndata.read_h5ad(path).obsm["X_nearid"]
    table = pd.read_csv(path) if path.suffix == ".csv" else pd.read_parquet(path)
    return table.iloc[:, -width:].to_numpy()


def test_components_leave_with_their_loadings_and_rebuild_the_layer(
    open_page: Open, store: RunStore, offered: dict[str, bytes]
) -> None:
    run = fabricate_runs(store, range(1))[0]
    choose(select(open_page("runs"), 0), "parquet", "ica")
    components = pd.read_parquet(io.BytesIO(offered[f"{run.id}-latent-ica.parquet"])).filter(regex=r"^ica_\d+$")
    loadings = pd.read_csv(io.BytesIO(offered[f"{run.id}-latent-loadings.csv"]))
    rebuilt = loadings["mean"].to_numpy() + components.to_numpy() @ loadings[list(components)].to_numpy().T
    np.testing.assert_allclose(rebuilt, run.representation("latent").values, atol=1e-4)


def test_a_set_leaves_as_a_zip_that_another_store_adds(
    open_page: Open, store: RunStore, offered: dict[str, bytes], tmp_path: Path
) -> None:
    runs = fabricate_runs(store, range(3))
    select(open_page("runs"), 0, 1, 2)
    added = RunStore(tmp_path / "other").add_archive(io.BytesIO(offered[f"{runs[0].set_id}.zip"]))
    assert [run.record["layers"] for run in added] == [run.record["layers"] for run in runs]


def test_a_zip_comes_in_and_is_linked(open_page: Open, store: RunStore, tmp_path: Path) -> None:
    runs = fabricate_runs(RunStore(tmp_path / "other"), range(2))
    for run in runs:
        nid.export_run(run, tmp_path / f"{run.id}.zip")
    app = open_page("runs")
    app.text_input(key="add_zip_path").set_value(str(tmp_path / f"{runs[0].id}.zip")).run()
    app.button(key="add_archive").click().run()
    assert [run.id for run in store.runs()] == [runs[0].id]
    assert "was added" in text(app.run())


def test_what_is_no_archive_is_a_sentence_and_adds_nothing(open_page: Open, store: RunStore, tmp_path: Path) -> None:
    (tmp_path / "wrong.zip").write_bytes(b"not a zip")
    app = open_page("runs")
    app.text_input(key="add_zip_path").set_value(str(tmp_path / "wrong.zip")).run()
    app.button(key="add_archive").click().run()
    assert "wrong.zip" in app.error[0].value
    assert not app.exception
    assert store.runs() == []

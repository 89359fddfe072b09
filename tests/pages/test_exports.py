"""Exports of the Runs page read back as what the store holds; a zip comes back whole, or not at all."""

import io
import zipfile

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from nearid_core.exchange.embedding import embed
from nearid_core.runs import RunStore
from pages.shared import charts, exporting, stores
from tests.fabricate import fabricate_run, fabricate_runs
from tests.pages.conftest import Open, text
from tests.pages.test_runs import select


def prepare(app: AppTest, name: str) -> bytes:
    """The file that stands behind the button after it was asked for."""
    app.button(key=f"prepare_{name}").click().run()
    assert not app.error
    (save,) = [one for one in app.get("download_button") if one.key == f"export_{name}"]
    made, content = app.session_state["prepared_export"]
    assert made == name
    assert save.label.startswith("Save (")
    return content


def values(content: bytes, kind: str, width: int) -> np.ndarray:
    if kind == "npz":
        return np.load(io.BytesIO(content))["values"]
    if kind == "h5ad":
        h5py = pytest.importorskip("h5py")
        with h5py.File(io.BytesIO(content)) as file:
            return file["obsm/X_nearid"][:]
    table = {"csv": pd.read_csv, "parquet": pd.read_parquet}[kind](io.BytesIO(content))
    return table.iloc[:, -width:].to_numpy()


@pytest.mark.parametrize("space", ["raw", "pca", "ica"])
@pytest.mark.parametrize("kind", ["parquet", "csv", "npz", "h5ad"])
def test_a_file_holds_the_layer_in_the_space_that_was_chosen(
    open_page: Open, store: RunStore, kind: str, space: str
) -> None:
    run, _ = fabricate_runs(store, range(2))
    app = select(open_page("runs"), 0)
    app.selectbox(key="export_space").select(space).run()
    app.segmented_control(key="export_format").set_value(kind).run()
    expected = embed(run, "latent", space).values
    np.testing.assert_allclose(
        values(prepare(app, f"{run.id}_latent_{space}.{kind}"), kind, expected.shape[1]), expected, rtol=1e-6
    )


def test_loadings_have_a_row_a_feature(open_page: Open, store: RunStore) -> None:
    run, _ = fabricate_runs(store, range(2))
    app = select(open_page("runs"), 0)
    as_csv = pd.read_csv(io.BytesIO(prepare(app, f"{run.id}_latent_loadings.csv")))
    as_parquet = pd.read_parquet(io.BytesIO(prepare(app, f"{run.id}_latent_loadings.parquet")))
    assert as_csv.shape == as_parquet.shape == (3, 5)
    np.testing.assert_allclose(as_csv["mean"], run.representation("latent").values.mean(0), atol=1e-6)


def test_nothing_is_computed_before_a_click(open_page: Open, store: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    monkeypatch.setattr(exporting, "_written", lambda name, write: made.append(name) or b"")
    fabricate_runs(store, range(2))
    select(open_page("runs"), 0).run()
    assert not made


def test_a_damaged_run_is_named_and_no_file_is_offered(open_page: Open, store: RunStore) -> None:
    run, _ = fabricate_runs(store, range(2))
    array = run.path / "representations.safetensors"
    content = array.read_bytes()
    array.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    app = select(open_page("runs"), 0)
    app.button(key=f"prepare_{run.id}.zip").click().run()
    assert "representations.safetensors" in app.error[0].value.replace("\\", "")
    assert not [one for one in app.get("download_button") if one.key == f"export_{run.id}.zip"]


def upload(app: AppTest, content: bytes) -> AppTest:
    app.file_uploader(key="archive_file").set_value(("runs.zip", content, "application/zip")).run()
    return app.button(key="add_archive").click().run()


def test_a_set_goes_out_and_comes_back(open_page: Open, store: RunStore, tmp_path) -> None:
    runs = fabricate_runs(store, range(2))
    app = select(open_page("runs"), 0, 1)
    content = prepare(app, f"{runs[0].set_id}.zip")
    before = [run.representation("latent").values.copy() for run in runs]
    for run in runs:
        store.delete(run.id)
    app = upload(open_page("runs"), content)
    assert "2 runs added" in text(app)
    assert [one.id for one in store.runs()] == [run.id for run in runs]
    for run, values in zip(store.runs(), before, strict=True):
        np.testing.assert_array_equal(run.representation("latent").values, values)
    (link,) = [element for element in app.get("page_link") if element.proto.label.startswith("Open ")]
    assert f"set={runs[0].set_id}" in link.proto.query_string


def test_some_runs_of_a_set_make_a_zip_of_those(open_page: Open, store: RunStore) -> None:
    runs = fabricate_runs(store, range(3))
    app = select(open_page("runs"), 0, 2)
    with zipfile.ZipFile(io.BytesIO(prepare(app, f"{runs[0].set_id}_part.zip"))) as archive:
        assert {name.split("/")[0] for name in archive.namelist()} == {runs[0].id, runs[2].id}


def test_a_wrong_zip_gets_its_sentence_and_writes_nothing(open_page: Open, store: RunStore) -> None:
    fabricate_run(store, 0)
    app = upload(open_page("runs"), b"no zip")
    assert "runs.zip" in app.error[0].value.replace("\\", "")
    assert len(store.runs()) == 1
    assert not store.unfinished()


def test_read_only_offers_no_zip_to_add_and_still_exports(
    open_page: Open, store: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, _ = fabricate_runs(store, range(2))
    monkeypatch.setenv(stores.READONLY, "1")
    app = select(open_page("runs"), 0)
    assert not app.get("file_uploader")
    assert prepare(app, f"{run.id}.zip")


def test_a_figures_table_is_saved_in_the_format_that_was_chosen(open_page: Open, compared: RunStore) -> None:
    app = open_page("alignment")
    app.segmented_control(key="table_format").set_value("parquet").run()
    assert [button.label for button in app.get("download_button")] == ["parquet"] * 5


def test_both_formats_hold_the_same_numbers() -> None:
    table = pd.DataFrame({"pair": ["0-1", "0-2"], "error": [1 / 3, 2e-17]})
    read = {"CSV": pd.read_csv, "parquet": pd.read_parquet}
    for kind, (write, _) in charts._TABLES.items():
        content = write(table)
        raw = content.encode() if isinstance(content, str) else content
        pd.testing.assert_frame_equal(read[kind](io.BytesIO(raw)), table, check_exact=True)

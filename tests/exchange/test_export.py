"""Representations leave whole, to the bit, with everything that is known of their samples."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nearid_core as nid
from nearid_core.exchange import Embedding, export_embedding, loadings
from nearid_core.runs import Run, RunStore

N, WIDTH = 60, 4
FORMATS = (".parquet", ".npz", ".csv", ".h5ad")


@pytest.fixture
def known() -> pd.DataFrame:
    """Metadata of every kind that a table brings along, with names that formats trip over."""
    return pd.DataFrame(
        {
            "sample_id": [f"well/{row:03d}" for row in range(N)],
            "compound": pd.Categorical(np.tile(["DMSO", "taxol", None], N // 3)),
            "Metadata_dose/µM": np.tile([0.1, np.nan], N // 2),
            "passage": pd.array(np.tile([3, None, 7], N // 3), dtype="Int64"),
            "control": np.arange(N) % 2 == 0,
            "note": np.tile(["=HYPERLINK('http://a')", "-3.5", "<b>@x</b>", None], N // 4),
            ".": [f"own {row}" for row in range(N)],
            "imaged": pd.date_range("2026-01-01", periods=N),
        }
    )


@pytest.fixture
def run(store: RunStore, known: pd.DataFrame) -> Run:
    sources = np.random.default_rng(5).laplace(size=(N, WIDTH))
    layers = {
        "latent": (sources @ np.diag([1, 2, 3, 4])).astype(np.float32),
        "half": sources.astype(np.float16),
        "double": sources / 3,
    }
    record = {"id": "a-run", "set": "a-set", "seed": 0, "status": "done", "dataset": {"name": "made"}}
    with store.begin("a-run", {}) as writer:
        return writer.finish(record, samples=known, layers=layers)


def read_values(path: Path) -> np.ndarray:
    """The exported numbers, as another tool reads them."""
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as archive:
            return archive["values"]
    if path.suffix == ".h5ad":
        anndata = pytest.importorskip("anndata")
        return np.asarray(anndata.read_h5ad(path).obsm["X_nearid"])
    if path.suffix == ".csv":
        return pd.read_csv(path, dtype=str).iloc[:, -WIDTH:].to_numpy(dtype=float)
    return pd.read_parquet(path).iloc[:, -WIDTH:].to_numpy()


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("layer", ["latent", "half", "double"])
def test_raw_values_come_back_to_the_bit(run: Run, tmp_path: Path, suffix: str, layer: str) -> None:
    stored = run.representation(layer).values
    path = nid.export_representation(run, layer, tmp_path / f"out{suffix}")
    read = read_values(path)
    assert read.dtype == stored.dtype or (suffix, layer) in {(".h5ad", "half"), (".csv", "half"), (".csv", "latent")}
    assert read.astype(stored.dtype).tobytes() == np.ascontiguousarray(stored).tobytes()


@pytest.mark.parametrize("suffix", FORMATS)
def test_components_come_back_to_the_bit_and_are_those_of_a_fit(run: Run, tmp_path: Path, suffix: str) -> None:
    fit = nid.fit_components(run.representation("latent").values)
    path = nid.export_representation(run, "latent", tmp_path / f"out{suffix}", space="ica")
    np.testing.assert_array_equal(read_values(path), fit.values)
    given = nid.export_representation(run, "latent", tmp_path / f"given{suffix}", space="ica", components=fit)
    np.testing.assert_array_equal(read_values(given), fit.values)


def test_principal_components_are_white(run: Run, tmp_path: Path) -> None:
    values = read_values(nid.export_representation(run, "latent", tmp_path / "out.npz", space="pca"))
    np.testing.assert_allclose(np.cov(values.T, bias=True), np.eye(WIDTH), atol=1e-10)


def test_parquet_keeps_every_metadata_column_and_its_type(run: Run, known: pd.DataFrame, tmp_path: Path) -> None:
    read = pd.read_parquet(nid.export_representation(run, "latent", tmp_path / "out.parquet", space="ica"))
    assert list(read.columns) == [*known.columns, "ica_0", "ica_1", "ica_2", "ica_3"]
    pd.testing.assert_frame_equal(read[known.columns.tolist()], run.samples)


def test_parquet_and_npz_say_what_made_them(run: Run, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    parquet = nid.export_representation(run, "latent", tmp_path / "out.parquet", space="ica")
    npz = nid.export_representation(run, "latent", tmp_path / "out.npz", space="ica")
    told = json.loads(pq.read_schema(parquet).metadata[b"nearid"])
    assert (told["run"], told["layer"], told["space"], told["fitted_on"]) == ("a-run", "latent", "ica", "all 60 rows")
    assert told["versions"]["numpy"] == np.__version__
    with np.load(npz, allow_pickle=False) as archive:
        assert json.loads(str(archive["settings"])) == told
        assert list(archive["features"]) == ["ica_0", "ica_1", "ica_2", "ica_3"]
        assert list(archive["sample_ids"]) == list(run.samples["sample_id"])


def test_anndata_reads_samples_features_and_settings(run: Run, tmp_path: Path) -> None:
    anndata = pytest.importorskip("anndata")
    path = nid.export_representation(run, "latent", tmp_path / "out.h5ad", space="ica")
    read = anndata.read_h5ad(path)
    known = run.samples
    assert list(read.obs_names) == list(known["sample_id"])
    assert list(read.var_names) == ["ica_0", "ica_1", "ica_2", "ica_3"]
    assert {"negentropy", "stability", "identified"} <= set(read.var.columns)
    np.testing.assert_array_equal(read.X, read.obsm["X_nearid"])
    obs = read.obs.reset_index(drop=True)
    assert list(obs.columns) == ["compound", "Metadata_dose_µM", "passage", "control", "note", "_", "imaged"]
    assert obs["compound"].cat.codes.tolist() == [0, 1, -1] * (N // 3)
    assert obs["compound"].cat.categories.tolist() == ["DMSO", "taxol"]
    np.testing.assert_array_equal(obs["Metadata_dose_µM"], known["Metadata_dose/µM"])
    assert obs["passage"].isna().tolist() == known["passage"].isna().tolist()
    assert obs["passage"].dropna().tolist() == known["passage"].dropna().tolist()
    assert obs["control"].tolist() == known["control"].tolist()
    assert obs["note"].astype(object).dropna().tolist() == known["note"].dropna().tolist()
    assert obs["_"].astype(str).tolist() == known["."].tolist()
    assert read.uns["nearid"]["run"] == "a-run"
    assert read.uns["nearid"]["versions"]["nearid"] == nid.__version__


def test_scanpy_finds_neighbours_in_the_exported_embedding(run: Run, tmp_path: Path) -> None:
    scanpy = pytest.importorskip("scanpy")
    read = scanpy.read_h5ad(nid.export_representation(run, "half", tmp_path / "out.h5ad"))
    scanpy.pp.neighbors(read, use_rep="X_nearid", n_neighbors=5)
    assert read.obsp["distances"].shape == (N, N)


def test_an_exported_embedding_is_imported_again(run: Run, store: RunStore, tmp_path: Path) -> None:
    path = nid.export_representation(run, "latent", tmp_path / "out.parquet")
    (again,) = nid.import_runs([path], store, sample_id="sample_id", columns=[f"latent_{j}" for j in range(1, 5)])
    (layer,) = again.layers
    assert again.representation(layer).values.tobytes() == run.representation("latent").values.tobytes()


def test_csv_cells_that_a_spreadsheet_would_run_are_text(run: Run, tmp_path: Path) -> None:
    read = pd.read_csv(nid.export_representation(run, "latent", tmp_path / "out.csv"), dtype={"note": str})
    assert read["note"][:3].tolist() == ["'=HYPERLINK('http://a')", "-3.5", "<b>@x</b>"]
    assert read["note"].isna().sum() == N // 4


@pytest.mark.parametrize("cell", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "=a\r=b\n=c"])
def test_text_that_runs_gets_an_apostrophe(cell: str, tmp_path: Path) -> None:
    table = pd.DataFrame({"@name": [cell, "plain"], "value": [-1.5, 2.0], "dose": pd.Categorical([cell, "a"])})
    path = nid.export_table(table, tmp_path / "out.csv")
    read = pd.read_csv(path, keep_default_na=False)
    assert read.shape == table.shape
    assert read.columns[0] == "'@name"
    assert read.iloc[0, 0].startswith("'")
    assert read["dose"][0].startswith("'")
    assert read["value"].tolist() == [-1.5, 2.0]
    pd.testing.assert_frame_equal(pd.read_parquet(nid.export_table(table, tmp_path / "out.parquet")), table)


def test_features_never_take_a_metadata_columns_name(store: RunStore, tmp_path: Path) -> None:
    values = np.random.default_rng(0).normal(size=(N, 2)).astype(np.float32)
    samples = pd.DataFrame({"sample_id": [str(row) for row in range(N)], "latent_1": "metadata"})
    record = {"id": "r", "set": "s", "seed": None, "status": "done", "dataset": {"name": "made"}}
    with store.begin("r", {}) as writer:
        run = writer.finish(record, samples=samples, layers={"latent": values})
    read = pd.read_parquet(nid.export_representation(run, "latent", tmp_path / "out.parquet"))
    assert list(read.columns) == ["sample_id", "latent_1", "nearid_latent_1", "nearid_latent_2"]


def test_loadings_give_the_values_back_from_the_components(run: Run, tmp_path: Path) -> None:
    values = run.representation("latent").values
    fit = nid.fit_components(values)
    names = ["area", "shape", "=texture", "dna"]
    table = pd.read_parquet(nid.export_loadings(fit, tmp_path / "loadings.parquet", features=names))
    assert table["feature"].tolist() == names
    back = table["mean"].to_numpy() + fit.values @ table.filter(like="ica_").to_numpy().T
    np.testing.assert_allclose(back, values, atol=1e-5)
    with pytest.raises(nid.InvalidInput, match="2 feature names"):
        loadings(fit, ["a", "b"])


def test_any_embedding_can_leave(tmp_path: Path) -> None:
    values = np.arange(6.0).reshape(3, 2)
    samples = pd.DataFrame({"sample_id": ["a", "b", "c"], "batch": [1, 1, 2]})
    corrected = Embedding(values, pd.DataFrame(index=["x", "y"]), samples, {"correction": "made"})
    read = pd.read_parquet(export_embedding(corrected, tmp_path / "out.parquet"))
    np.testing.assert_array_equal(read[["x", "y"]], values)


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_file_that_is_there_stays_unless_told(run: Run, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"out{suffix}"
    path.write_text("mine")
    with pytest.raises(nid.InvalidInput, match="exists already"):
        nid.export_representation(run, "latent", path)
    assert path.read_text() == "mine"
    nid.export_representation(run, "latent", path, overwrite=True)
    assert read_values(path).shape == (N, WIDTH)


@pytest.mark.parametrize("suffix", FORMATS)
def test_an_export_that_breaks_off_leaves_nothing(tmp_path: Path, suffix: str) -> None:
    class Breaks(np.ndarray):
        def __getitem__(self, key: object) -> np.ndarray:
            raise OSError("the disk is gone")

    values = np.ones((3, 2)).view(Breaks)
    samples = pd.DataFrame({"sample_id": ["a", "b", "c"]})
    broken = Embedding(values, pd.DataFrame(index=["x", "y"]), samples, {"when": object()})
    with pytest.raises((nid.InvalidInput, TypeError)):
        export_embedding(broken, tmp_path / f"out{suffix}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"path": "out.xlsx"}, "format of an embedding '.xlsx'"),
        ({"path": "out"}, "format of an embedding"),
        ({"path": "nowhere/out.npz"}, "there is no folder"),
        ({"space": "umap"}, "There is no space 'umap'"),
        ({"layer": "latnt"}, "did you mean 'latent'"),
    ],
)
def test_what_cannot_be_exported_is_said(run: Run, tmp_path: Path, changes: dict[str, str], message: str) -> None:
    path = tmp_path / changes.get("path", "out.npz")
    with pytest.raises(nid.InvalidInput, match=message):
        nid.export_representation(run, changes.get("layer", "latent"), path, space=changes.get("space", "raw"))
    assert not path.exists()


def test_components_of_another_layer_are_refused(run: Run, tmp_path: Path) -> None:
    other = nid.fit_components(np.random.default_rng(0).laplace(size=(N, 3)))
    with pytest.raises(nid.InvalidInput, match="4 columns and the components were fitted on 3"):
        nid.export_representation(run, "latent", tmp_path / "out.npz", space="ica", components=other)

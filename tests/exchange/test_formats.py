"""The same numbers come in from every format."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from safetensors.numpy import save_file

import nearid_core as nid
from nearid_core.exchange import Features, Mapping
from nearid_core.exchange.readers import open_table
from nearid_core.runs import RunStore

IDS = Mapping(sample_id=("id",))


def _table(values: np.ndarray) -> pd.DataFrame:
    ids = pd.DataFrame({"id": [f"s{i}" for i in range(len(values))]})
    return ids.join(pd.DataFrame(values, columns=list("abcde")))


def _csv(values: np.ndarray, path: Path) -> None:
    _table(values).to_csv(path, index=False, sep="\t" if ".tsv" in path.name else ",")


def _parquet(values: np.ndarray, path: Path) -> None:
    _table(values).to_parquet(path, index=False, row_group_size=7)


def _list_column(values: np.ndarray, path: Path) -> None:
    _table(values)[["id"]].assign(vector=list(values)).to_parquet(path)


def _npz(values: np.ndarray, path: Path) -> None:
    np.savez_compressed(path, vector=values, id=_table(values)["id"].to_numpy(dtype=str))


def _zarr(values: np.ndarray, path: Path) -> None:
    zarr = pytest.importorskip("zarr")
    root = zarr.open_group(str(path), mode="w")
    root.create_array("vector", data=values, chunks=(9, 5))


def _h5ad(values: np.ndarray, path: Path) -> None:
    """As anndata lays it out; with pandas 3 it can read such a file and not write one."""
    h5py = pytest.importorskip("h5py")
    pytest.importorskip("anndata")
    with h5py.File(path, "w") as file:
        file.attrs.update({"encoding-type": "anndata", "encoding-version": "0.1.0"})
        obs = file.create_group("obs")
        obs.attrs.update({"encoding-type": "dataframe", "encoding-version": "0.2.0", "_index": "id"})
        obs.attrs.create("column-order", np.array([], dtype="S1"))
        ids = obs.create_dataset("id", data=_table(values)["id"].to_list(), dtype=h5py.string_dtype())
        ids.attrs.update({"encoding-type": "string-array", "encoding-version": "0.2.0"})
        obsm = file.create_group("obsm")
        obsm.attrs.update({"encoding-type": "dict", "encoding-version": "0.1.0"})
        stored = obsm.create_dataset("X_pca", data=values)
        stored.attrs.update({"encoding-type": "array", "encoding-version": "0.2.0"})


def _sparse_h5ad(values: np.ndarray, path: Path) -> None:
    from scipy.sparse import csc_matrix, csr_matrix

    _h5ad(values, path)
    h5py = pytest.importorskip("h5py")
    with h5py.File(path, "a") as file:
        del file["obsm"]
        stored = (csc_matrix if "csc" in path.name else csr_matrix)(values)
        group = file.create_group("X")
        encoding = f"{stored.format}_matrix"
        group.attrs.update({"encoding-type": encoding, "encoding-version": "0.1.0", "shape": values.shape})
        for part in ("data", "indices", "indptr"):
            group[part] = getattr(stored, part)


WRITERS: dict[str, tuple[Callable[[np.ndarray, Path], None], Mapping]] = {
    "a.csv": (_csv, IDS),
    "a.csv.gz": (_csv, IDS),
    "a.tsv": (_csv, IDS),
    "a.tsv.gz": (_csv, IDS),
    "a.parquet": (_parquet, IDS),
    "lists.parquet": (_list_column, IDS),
    "a.npz": (_npz, IDS),
    "a.npy": (lambda values, path: np.save(path, values), Mapping()),
    "fortran.npy": (lambda values, path: np.save(path, np.asfortranarray(values)), Mapping()),
    "fortran.npz": (lambda values, path: np.savez(path, vector=np.asfortranarray(values)), Mapping()),
    "big_endian.npy": (lambda values, path: np.save(path, values.astype(">f4")), Mapping()),
    "a.safetensors": (lambda values, path: save_file({"vector": values}, path), Mapping()),
    "a.zarr": (_zarr, Mapping()),
    "a.h5ad": (_h5ad, IDS),
    "csr.h5ad": (_sparse_h5ad, IDS),
    "csc.h5ad": (_sparse_h5ad, IDS),
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_same_numbers_under_the_same_ids(
    name: str, values: np.ndarray, tmp_path: Path, store: RunStore
) -> None:
    write, mapping = WRITERS[name]
    write(values, tmp_path / name)
    (run,) = nid.import_runs(tmp_path / name, store, mapping=mapping)
    found = run.representation(run.layers[0])
    np.testing.assert_allclose(found.values, values, rtol=1e-6)
    prefix = "s" if mapping.sample_id else ""
    assert list(found.sample_ids) == [f"{prefix}{i}" for i in range(len(values))]
    if "csv" not in name and "tsv" not in name:
        assert found.values.dtype == np.float32


def test_several_matrices_of_one_file_are_its_layers(values: np.ndarray, tmp_path: Path, store: RunStore) -> None:
    np.savez(tmp_path / "a.npz", hidden=values, latent=values[:, :2])
    (run,) = nid.import_runs(tmp_path / "a.npz", store, mapping=Mapping())
    assert {layer: run.representation(layer).values.shape for layer in run.layers} == {
        "hidden": (40, 5),
        "latent": (40, 2),
    }
    (chosen,) = nid.import_runs(tmp_path / "a.npz", store, mapping=Mapping(features=Features(arrays=("latent",))))
    assert chosen.layers == ["latent"]


def test_text_larger_than_a_block_has_the_types_of_all_its_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nearid_core.exchange.readers.text_blocks.BLOCK", 1024)
    rows = [f"s{i},{i if i < 300 else i + 0.5}" for i in range(600)]
    with gzip.open(tmp_path / "a.csv.gz", "wt") as file:
        file.write("\n".join(["id,x", *rows]))
    found = open_table(tmp_path / "a.csv.gz")
    assert found.n_rows == 600
    assert np.concatenate(list(found.blocks(["x"])))[[299, 300], 0].tolist() == [299.0, 300.5]


def test_digits_with_leading_zeros_are_names_and_not_numbers(write: Callable[..., Path]) -> None:
    found = open_table(write("a.csv", "id,x\n007,1\n08,2\n7,3\n"))
    assert found.frame(["id"])["id"].tolist() == ["007", "08", "7"]


def test_features_are_read_in_the_type_they_came_in(values: np.ndarray, tmp_path: Path, store: RunStore) -> None:
    np.save(tmp_path / "half.npy", values.astype(np.float16))
    (run,) = nid.import_runs(tmp_path / "half.npy", store)
    assert run.representation("embedding").values.dtype == np.float16


def test_a_line_end_between_quotes_ends_no_line_wherever_the_block_ends(
    write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f'two\nlines, "quoted" {i}' for i in range(50)]
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    path = write("a.csv", "id,x\n" + "".join(f"{name},{i}.5\n" for i, name in enumerate(quoted)))
    for size in (64, 65, 97, 1 << 20):
        monkeypatch.setattr("nearid_core.exchange.readers.text_blocks.BLOCK", size)
        assert open_table(path).frame(["id"])["id"].tolist() == names


def test_the_line_that_is_wrong_is_named_in_a_later_block_too(
    write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nearid_core.exchange.readers.text_blocks.BLOCK", 64)
    lines = ["id,x", *(f"s{i},{i}.5" for i in range(100))]
    lines[90] = "s89"
    found = open_table(write("a.csv", "\n".join(lines)))
    with pytest.raises(nid.UnsupportedFormat, match="line 91 has 1 fields where the header has 2"):
        found.frame(["id"])

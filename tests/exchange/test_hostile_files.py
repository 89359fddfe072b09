"""Files made to do harm: each is refused with one sentence, or imported as the data that it is. Nothing in one runs,
nothing is written outside the store, and none takes more memory or time than a small file may."""

from __future__ import annotations

import gzip
import io
import json
import pickle
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import nearid_core as nid
from nearid_core.exchange import Derive, Join, Mapping, Recode
from nearid_core.runs import RunStore

Make = Callable[[Path], Path]
_MOST_MEMORY = 300 << 20  # bytes, by Python's own count
_LONGEST = 20.0  # seconds


class Bomb:
    """Unpickling one creates a file beside the table."""

    def __init__(self, at: Path) -> None:
        self.at = at

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return Path.touch, (self.at,)


def _went_off(folder: Path) -> Path:
    return folder / "went-off"


def _bytes(name: str, content: bytes) -> Make:
    def make(folder: Path) -> Path:
        (folder / name).write_bytes(content)
        return folder / name

    return make


def _npy(shape: str, descr: str = "'<f4'", data: bytes = b"\0" * 64) -> bytes:
    """A .npy file whose header says what it likes."""
    header = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + data


def _objects(folder: Path) -> np.ndarray:
    objects = np.empty(4, object)
    objects[:] = [Bomb(_went_off(folder))] * 4
    return objects


def _pickle_in_npy(folder: Path) -> Path:
    np.save(folder / "t.npy", _objects(folder), allow_pickle=True)
    return folder / "t.npy"


def _pickle_in_npz(folder: Path) -> Path:
    np.savez(folder / "t.npz", a=np.ones((4, 2)), ids=_objects(folder))
    return folder / "t.npz"


def _pickled(name: str) -> Make:
    def make(folder: Path) -> Path:
        (folder / name).write_bytes(pickle.dumps(Bomb(_went_off(folder))))
        return folder / name

    return make


def _torch(name: str) -> Make:
    """As torch.save lays a file out: a zip with a pickle in it."""

    def make(folder: Path) -> Path:
        with zipfile.ZipFile(folder / name, "w") as archive:
            archive.writestr("archive/data.pkl", pickle.dumps(Bomb(_went_off(folder))))
        return folder / name

    return make


def _zip(members: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> Make:
    def make(folder: Path) -> Path:
        with zipfile.ZipFile(folder / "t.npz", "w", compression) as archive:
            for name, content in members.items():
                archive.writestr(name, content)
        return folder / "t.npz"

    return make


def _matrix() -> bytes:
    file = io.BytesIO()
    np.save(file, np.random.default_rng(0).standard_normal((8, 3)))
    return file.getvalue()


def _zip_bomb(folder: Path) -> Path:
    with zipfile.ZipFile(folder / "t.npz", "w", zipfile.ZIP_DEFLATED) as archive, archive.open("a.npy", "w") as file:
        file.write(_npy("(100_000_000, 4)".replace("_", ""), data=b""))
        for _ in range(40):
            file.write(bytes(4_000_000))
    return folder / "t.npz"


def _gzip_bomb(folder: Path) -> Path:
    with gzip.open(folder / "t.csv.gz", "wb", compresslevel=9) as file:
        file.write(b"id,a\n")
        for _ in range(300):
            file.write(b"1,1\n" * 250_000)
    return folder / "t.csv.gz"


def _one_line_bomb(folder: Path) -> Path:
    with gzip.open(folder / "t.csv.gz", "wb") as file:
        for _ in range(60):
            file.write(b"a" * 1_000_000)
    return folder / "t.csv.gz"


def _open_quote(folder: Path) -> Path:
    (folder / "t.csv").write_bytes(b'id,a\n"' + b"x,1\n" * 20_000_000)
    return folder / "t.csv"


def _parquet_bomb(folder: Path) -> Path:
    zeros = pa.chunked_array([pa.array(np.zeros(1_000_000))] * 200)
    pq.write_table(pa.table({"a": zeros, "b": zeros}), folder / "t.parquet")
    return folder / "t.parquet"


def _safetensors(header: object, data: bytes = b"\0" * 64) -> bytes:
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def _tensor(shape: list[int], offsets: list[int], dtype: str = "F32") -> bytes:
    return _safetensors({"a": {"dtype": dtype, "shape": shape, "data_offsets": offsets}})


def _hdf5(fill: Callable[..., None]) -> Make:
    def make(folder: Path) -> Path:
        h5py = pytest.importorskip("h5py")
        pytest.importorskip("anndata")
        (folder / "secret.h5").write_bytes(b"")
        with h5py.File(folder / "t.h5ad", "w") as file:
            fill(h5py, file)
        return folder / "t.h5ad"

    return make


def _external(h5py: object, file: object) -> None:
    file["obs"] = h5py.ExternalLink("secret.h5", "/x")  # type: ignore[attr-defined, index]


def _raw_external(h5py: object, file: object) -> None:
    file.create_group("obs")  # type: ignore[attr-defined]
    file.create_dataset("X", (4, 2), "f4", external=[("/etc/passwd", 0, 32)])  # type: ignore[attr-defined]


def _obs(h5py: object, file: object) -> None:
    obs = file.create_group("obs")  # type: ignore[attr-defined]
    obs.attrs.update({"encoding-type": "dataframe", "encoding-version": "0.2.0", "_index": "i"})
    obs.attrs.create("column-order", np.array([], dtype="S1"))
    ids = obs.create_dataset("i", data=["a", "b"], dtype=h5py.string_dtype())  # type: ignore[attr-defined]
    ids.attrs.update({"encoding-type": "string-array", "encoding-version": "0.2.0"})


def _huge_hdf5(h5py: object, file: object) -> None:
    _obs(h5py, file)
    file.create_dataset("X", (2, 10**12), "f4", chunks=(1, 1000))  # type: ignore[attr-defined]


def _sparse(file: object, shape: tuple[int, int], indices: list[int]) -> None:
    group = file.create_group("X")  # type: ignore[attr-defined]
    group.attrs.update({"encoding-type": "csr_matrix", "encoding-version": "0.1.0", "shape": shape})
    group["data"], group["indices"], group["indptr"] = np.ones(2, np.float32), np.array(indices), np.array([0, 1, 2])


def _huge_sparse(h5py: object, file: object) -> None:
    _obs(h5py, file)
    _sparse(file, (2, 10**11), [0, 1])


def _sparse_outside(h5py: object, file: object) -> None:
    _obs(h5py, file)
    _sparse(file, (2, 3), [0, 2**40])


def _zarr_pickle(folder: Path) -> Path:
    """A zarr 2 array whose filter unpickles every chunk."""
    array = folder / "t.zarr"
    array.mkdir()
    described = {"zarr_format": 2, "shape": [4], "chunks": [4], "dtype": "|O", "fill_value": None, "order": "C"}
    (array / ".zarray").write_text(json.dumps({**described, "compressor": None, "filters": [{"id": "pickle"}]}))
    (array / "0").write_bytes(pickle.dumps([Bomb(_went_off(folder))] * 4))
    return array


def _zarr_pickle_in_the_summary(folder: Path) -> Path:
    """The same, in the file that zarr reads in place of all the others."""
    array = _zarr_pickle(folder).rename(folder / "a")
    (folder / "t.zarr").mkdir()
    array = array.rename(folder / "t.zarr" / "a")
    described = {".zgroup": {"zarr_format": 2}, "a/.zarray": json.loads((array / ".zarray").read_text())}
    (array / ".zarray").unlink()
    (folder / "t.zarr" / ".zgroup").write_text('{"zarr_format": 2}')
    summary = {"zarr_consolidated_format": 1, "metadata": described}
    (folder / "t.zarr" / ".zmetadata").write_text(json.dumps(summary))
    return folder / "t.zarr"


def _zarr_link(folder: Path) -> Path:
    (folder / "t.zarr").mkdir()
    (folder / "t.zarr" / "0.0").symlink_to("/etc/passwd")
    return folder / "t.zarr"


def _zarr_huge(folder: Path) -> Path:
    array = folder / "t.zarr"
    array.mkdir()
    described = {"zarr_format": 2, "shape": [10**9, 10**3], "chunks": [10, 10], "dtype": "<f4", "fill_value": 0}
    (array / ".zarray").write_text(json.dumps({**described, "order": "C", "compressor": None, "filters": None}))
    return array


REFUSED: dict[str, tuple[Make, str]] = {
    "pickle in npy": (_pickle_in_npy, "holds Python objects, which can run code"),
    "pickle in npz": (_pickle_in_npz, "holds Python objects, which can run code"),
    "pickle named npy": (_pickled("t.npy"), "is a pickle by its content.*never opened"),
    "pickle": (_pickled("t.pkl"), "never opened here"),
    "torch with code": (_torch("t.pt"), "never opened here; load it where it was made"),
    "torch named npz": (_torch("t.npz"), "is a torch by its content.*never opened"),
    "checkpoint": (_pickled("t.ckpt"), "never opened here"),
    "npy of a huge shape": (_bytes("t.npy", _npy("(1000000000000, 4096)")), "needs 16,384,000,000,000,000 bytes"),
    "npy of an overflowing shape": (_bytes("t.npy", _npy(f"({2**62}, {2**62})")), "cut off or damaged"),
    "npy of a negative shape": (_bytes("t.npy", _npy("(-4, -4)")), "cut off or damaged"),
    "npy whose header is code": (
        _bytes("t.npy", _npy("__import__('os').system('touch went-off')")),
        "its header cannot be read",
    ),
    "npy of deep nesting": (_bytes("t.npy", _npy("(" * 60 + ")" * 20)), "its header cannot be read"),
    "npy of records": (_bytes("t.npy", _npy("(4,)", "[('a', '<f4'), ('b', 'O')]")), "Python objects"),
    "npz bomb": (_zip_bomb, "says that it unpacks to"),
    "npz of a huge shape": (_zip({"a.npy": _npy("(1000000000, 1000)")}), "needs 4,000,000,000,000 bytes"),
    "npz of many arrays": (_zip({f"{i}.npy": b"" for i in range(1_500)}), "holds 1,500 arrays"),
    "zip of other files": (_zip({"run.sh": b"touch went-off"}), "header cannot be read"),
    "csv.gz bomb": (_gzip_bomb, "says that it unpacks to"),
    "csv.gz of one line": (_one_line_bomb, "first line of more than 32 MiB"),
    "csv with an open quote": (_open_quote, "Is a quote not closed"),
    "csv of zero bytes": (_bytes("t.csv", b"id,a\n1,\x00\n"), "is binary"),
    "csv with a very long name": (_bytes("t.csv", b"id," + b"a" * 5_000 + b"\n1,2\n3,4\n"), "name of 5,000 characters"),
    "parquet bomb": (_parquet_bomb, "says that it unpacks to"),
    "safetensors of a huge shape": (_bytes("t.safetensors", _tensor([10**9, 10**9], [0, 64])), "does not fit"),
    "safetensors beyond its end": (_bytes("t.safetensors", _tensor([4, 2**50], [0, 2**54])), "does not fit"),
    "safetensors that overlap its header": (_bytes("t.safetensors", _tensor([4, 4], [-64, 0])), "does not fit"),
    "safetensors of a huge header": (
        _bytes("t.safetensors", (2**40).to_bytes(8, "little") + b"{}"),
        "it is binary",
    ),
    "safetensors that is a list": (_bytes("t.safetensors", _safetensors([1, 2])), "it is binary"),
    "hdf5 that points elsewhere": (_hdf5(_external), "points to another file"),
    "hdf5 of another file's bytes": (_hdf5(_raw_external), "stored in other files"),
    "hdf5 of a huge shape": (_hdf5(_huge_hdf5), "says that it unpacks to"),
    "zarr with pickles": (_zarr_pickle, "can run code"),
    "zarr with pickles in its summary": (_zarr_pickle_in_the_summary, "can run code"),
    "hdf5 of a huge sparse shape": (_hdf5(_huge_sparse), "says that it unpacks to"),
    "hdf5 with positions outside": (_hdf5(_sparse_outside), "does not have 3 columns"),
    "zarr that points elsewhere": (_zarr_link, "link out of the folder"),
    "zarr of a huge shape": (_zarr_huge, "says that it unpacks to"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_hostile_file_is_refused_in_one_sentence(what: str, tmp_path: Path, store: RunStore) -> None:
    make, says = REFUSED[what]
    path = make(tmp_path)
    before = _listing(tmp_path)
    began = time.monotonic()
    tracemalloc.start()
    try:
        with pytest.raises((nid.InvalidInput, nid.UnsupportedFormat), match=says) as caught:
            nid.import_runs(path, store)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 700
    assert most < _MOST_MEMORY
    assert time.monotonic() - began < _LONGEST
    assert _listing(tmp_path) == before
    assert not _went_off(tmp_path).exists()
    assert not Path("went-off").exists()


HARMLESS: dict[str, str] = {
    "html": "<script>alert(1)</script>",
    "formula": '=cmd|"/C calc"!A0',
    "formula with at": "@SUM(A1:A9)",
    "right to left": "abc\u202egnp.exe",
    "terminal": "\x1b]0;owned\x07\x1b[2J",
    "path": "../../../etc/passwd",
    "line end": "two\nlines",
    "emoji": "👩🏽‍🔬 Ω ß",
    "combining": "e\u0301" * 30,
    "zero width": "a\u200bb",
    "template": "{{7*7}} ${7*7} %s {0}",
    "sql": "'; DROP TABLE runs; --",
}


@pytest.mark.parametrize("what", HARMLESS)
def test_a_hostile_cell_is_kept_as_the_text_it_is(what: str, tmp_path: Path, store: RunStore) -> None:
    text = HARMLESS[what]
    ids = [f"{text}{i}" for i in range(6)]
    frame = pd.DataFrame({"id": ids, "label": [text, "b"] * 3, "a": np.arange(6) / 7, "b": np.arange(6) / 3})
    frame.to_csv(tmp_path / "t.csv", index=False)
    before = _listing(tmp_path)
    (run,) = nid.import_runs(tmp_path / "t.csv", store, mapping=Mapping(name=text, sample_id=("id",), label="label"))
    assert run.samples["sample_id"].tolist() == ids
    assert run.samples["label"].tolist() == [text, "b"] * 3
    assert run.path.parent == store.path
    assert {path for path in _listing(tmp_path) - before if not path.is_relative_to(store.path)} == set()


def test_a_hostile_column_name_and_layer_name_stay_inside_the_run(tmp_path: Path, store: RunStore) -> None:
    names = ["../../a", "<img src=x onerror=alert(1)>", "=1+1"]
    pd.DataFrame(np.random.default_rng(0).standard_normal((6, 3)), columns=names).to_csv(
        tmp_path / "t.csv", index=False
    )
    (run,) = nid.import_runs(tmp_path / "t.csv", store, layer="../../layer")
    assert run.feature_names("../../layer") == names
    assert {path.parent for path in run.path.iterdir()} == {run.path}


def test_members_of_an_archive_that_lead_elsewhere_are_only_names(tmp_path: Path, store: RunStore) -> None:
    path = _zip({"../../evil.npy": _matrix(), "/etc/evil.npy": _matrix()})(tmp_path)
    (run,) = nid.import_runs(path, store)
    assert len(run.layers) == 2
    assert {path.parent for path in run.path.iterdir()} == {run.path}


def test_a_mapping_cannot_run_anything_or_take_long(tmp_path: Path, store: RunStore) -> None:
    pd.DataFrame({"id": ["a", "b"], "x": [1.5, 2.5]}).to_csv(tmp_path / "t.csv", index=False)
    for mapping, says in (
        (Mapping(derive=(Derive("d", "id", "(unclosed"),)), "not a regular expression"),
        (Mapping(derive=(Derive("d", "id", "no group"),)), "has no group"),
        (Mapping(joins=(Join("t.pkl"),)), "no file"),
        (Mapping(recode=(Recode("absent", {}),)), "no column to recode"),
    ):
        with pytest.raises(nid.InvalidInput, match=says):
            nid.import_runs(tmp_path / "t.csv", store, mapping=mapping)


def _listing(folder: Path) -> set[Path]:
    return set(folder.rglob("*"))

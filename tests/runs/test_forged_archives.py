"""Archives whose digests and checksums all fit, and whose tables and arrays lie; and zips that are no honest zip."""

from __future__ import annotations

import json
import resource
import struct
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import nearid_core as nid
from nearid_core.digest import file_digest
from nearid_core.runs.archive import contents
from nearid_core.runs.run import HISTORY, RECORD, REPRESENTATIONS, SAMPLES

N = 30


@pytest.fixture
def store(tmp_path: Path) -> nid.RunStore:
    return nid.RunStore(tmp_path / "store")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An honest run's folder, to be forged."""
    made = nid.RunStore(tmp_path / "made")
    record = {"id": "one", "set": "made", "seed": 0, "status": "done", "dataset": {"name": "made"}}
    values = np.random.default_rng(0).normal(size=(N, 3)).astype(np.float32)
    samples = pd.DataFrame({"sample_id": [f"s{row}" for row in range(N)], "plate": ["a", "b", "c"] * 10})
    with made.begin("one", {}) as writer:
        return writer.finish(
            record, samples=samples, layers={"latent": values}, history=pd.DataFrame({"epoch": [1]})
        ).path


def forge(folder: Path, target: Path, method: int = zipfile.ZIP_STORED) -> Path:
    """Zip the folder with a record that says the truth about its files' bytes."""
    record = json.loads((folder / RECORD).read_text())
    files = [path for path in folder.iterdir() if path.name != RECORD]
    record["files"] = {path.name: {"bytes": path.stat().st_size, "digest": file_digest(path)} for path in files}
    (folder / RECORD).write_text(json.dumps(record))
    with zipfile.ZipFile(target, "w", method) as archive:
        for path in folder.iterdir():
            archive.write(path, f"one/{path.name}")
    return target


def tensors(header: dict, numbers: bytes = b"") -> Callable[[Path], object]:
    text = json.dumps(header).encode()
    return lambda folder: (folder / REPRESENTATIONS).write_bytes(struct.pack("<Q", len(text)) + text + numbers)


def raw(name: str, data: bytes) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_bytes(data)


def samples(change: Callable[[pd.DataFrame], pd.DataFrame], **options: object) -> Callable[[Path], object]:
    return lambda folder: change(pd.read_parquet(folder / SAMPLES)).to_parquet(folder / SAMPLES, **options)


def columns(**extra: pa.Array) -> Callable[[Path], object]:
    def write(folder: Path) -> None:
        table = pq.read_table(folder / SAMPLES)
        for name, values in extra.items():
            table = table.append_column(name, values)
        pq.write_table(table, folder / SAMPLES)

    return write


def long_texts(folder: Path) -> None:
    """A text of 100 KB that is stored once, and 20,000 rows that point to it."""
    rows = pd.DataFrame({"epoch": ["x" * 100_000] * 20_000})
    pq.write_table(pa.Table.from_pandas(rows), folder / HISTORY, row_group_size=20_000)


LATENT = {"dtype": "F32", "shape": [N, 3], "data_offsets": [0, N * 12]}

FORGERIES: dict[str, tuple[Callable[[Path], object], str]] = {
    "header longer than the file": (raw(REPRESENTATIONS, struct.pack("<Q", 1 << 40)), "header does not fit"),
    "header that is no JSON": (raw(REPRESENTATIONS, struct.pack("<Q", 4) + b"{{{{"), "header cannot be read"),
    "no arrays": (tensors({}), "do not name the same layers"),
    "another layer": (tensors({"other": LATENT}, bytes(N * 12)), "do not name the same layers"),
    "more numbers than bytes": (tensors({"latent": {**LATENT, "shape": [1 << 40, 3]}}, bytes(N * 12)), "does not fit"),
    "negative side": (tensors({"latent": {**LATENT, "shape": [-N, -3]}}, bytes(N * 12)), "does not fit"),
    "infinite side": (tensors({"latent": {**LATENT, "shape": [1e400, 3]}}, bytes(N * 12)), "header cannot be read"),
    "numbers beyond the end": (tensors({"latent": {**LATENT, "data_offsets": [0, 1 << 50]}}), "does not fit"),
    "arrays in one another": (
        tensors({"latent": LATENT, **{f"x{i}": LATENT for i in range(99)}}, bytes(N * 12)),
        "arrays overlap",
    ),
    "type of code": (tensors({"latent": {**LATENT, "dtype": "OBJECT"}}, bytes(N * 12)), "has type OBJECT"),
    "other numbers": (tensors({"latent": LATENT}, bytes(N * 12)), "are not those that were stored"),
    "no parquet": (raw(SAMPLES, b"PAR1 not really PAR1"), "is no parquet file"),
    "empty parquet": (raw(SAMPLES, b""), "is no parquet file"),
    "footer longer than the file": (raw(SAMPLES, b"PAR1" + b"\xff\xff\xff\x7f" + b"PAR1"), "is no parquet file"),
    "fewer samples": (samples(lambda frame: frame.head(9)), "has 9 rows and the layers have 30"),
    "no sample ids": (samples(lambda frame: frame.drop(columns="sample_id")), "has no column sample_id"),
    "ids twice": (samples(lambda frame: frame.assign(sample_id="x")), "more than once"),
    "pages of another codec": (samples(lambda frame: frame, compression="zstd"), "is packed as ZSTD"),
    "nested column": (columns(deep=pa.array([[1]] * N)), "expected plain ones"),
    "too large in memory": (long_texts, "bytes in memory"),
}


@pytest.mark.parametrize(("change", "message"), FORGERIES.values(), ids=FORGERIES.keys())
def test_a_forged_run_is_refused_with_its_reason(
    store: nid.RunStore, folder: Path, tmp_path: Path, change: Callable[[Path], object], message: str
) -> None:
    change(folder)
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
    with pytest.raises(nid.NearIdError, match=message) as refusal:
        store.add_archive(forge(folder, tmp_path / "one.zip"))
    assert "\n" not in str(refusal.value)
    assert str(tmp_path) not in str(refusal.value), "where it was unpacked is gone when somebody reads this"
    assert [path for path in store.path.rglob("*") if path.is_file()] == []
    assert time.monotonic() - started < 10
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 512 << 10  # KiB


def test_the_honest_folder_is_taken(store: nid.RunStore, folder: Path, tmp_path: Path) -> None:
    """Also as somebody zips it by hand, deflated."""
    (run,) = store.add_archive(forge(folder, tmp_path / "one.zip", zipfile.ZIP_DEFLATED))
    assert run.representation("latent").values.shape == (N, 3)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_packers_that_choose_their_own_memory_are_refused(
    store: nid.RunStore, folder: Path, tmp_path: Path, method: int
) -> None:
    with pytest.raises(nid.UnsupportedFormat, match="other than deflate"):
        store.add_archive(forge(folder, tmp_path / "one.zip", method))


def test_entries_that_share_their_bytes_are_refused(store: nid.RunStore, folder: Path, tmp_path: Path) -> None:
    """A bomb without a large ratio an entry: a thousand names for one megabyte (D. Fifield, WOOT 2019)."""
    path = tmp_path / "one.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("one/weights.safetensors", bytes(1 << 20))
        (first,) = archive.infolist()
        for number in range(1000):
            again = zipfile.ZipInfo(f"r{number}/weights.safetensors")
            again.header_offset, again.CRC = first.header_offset, first.CRC
            again.file_size, again.compress_size = first.file_size, first.compress_size
            archive.filelist.append(again)
        archive._didModify = True
    with pytest.raises(nid.UnsupportedFormat, match="overlaps another"):
        store.add_archive(path)


def test_a_list_of_entries_that_claims_to_be_long_is_not_read(store: nid.RunStore, tmp_path: Path) -> None:
    path = tmp_path / "one.zip"
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, 1 << 30, 0, 0)
    with path.open("wb") as file:
        file.seek(1 << 30)  # a hole: no such bytes on disk
        file.write(end)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(nid.UnsupportedFormat, match="list of entries is too long"):
        store.add_archive(path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 << 10  # KiB


def test_too_many_entries_are_refused(
    store: nid.RunStore, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents, "MOST_ENTRIES", 2)
    with pytest.raises(nid.UnsupportedFormat, match="has 4 entries"):
        store.add_archive(forge(folder, tmp_path / "one.zip"))


def test_an_entry_that_gives_less_than_it_declares_is_refused(
    store: nid.RunStore, folder: Path, tmp_path: Path
) -> None:
    path = forge(folder, tmp_path / "one.zip", zipfile.ZIP_DEFLATED)
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\1\2")
    (size,) = struct.unpack_from("<L", data, at + 24)
    struct.pack_into("<L", data, at + 24, size + 1000)
    path.write_bytes(data)
    with pytest.raises(nid.NearIdError):
        store.add_archive(path)
    assert [path for path in store.path.rglob("*") if path.is_file()] == []


def test_an_addition_that_was_killed_is_cleared_away_by_the_next(
    store: nid.RunStore, folder: Path, tmp_path: Path
) -> None:
    left = store.path / ".partial" / "dead"
    (left / "dead").mkdir(parents=True)
    (left / "request.json").write_text('{"archive": "old.zip"}')
    (left / "dead" / "weights.safetensors").write_bytes(b"half of it")
    store.add_archive(forge(folder, tmp_path / "one.zip"))
    assert not left.exists()


def test_a_half_trained_run_is_not_replaced(store: nid.RunStore, folder: Path, tmp_path: Path) -> None:
    partial = store.path / ".partial" / "one"
    partial.mkdir(parents=True)
    (partial / "checkpoint.safetensors").write_bytes(b"worth hours")
    with pytest.raises(nid.InvalidInput, match="half trained"):
        store.add_archive(forge(folder, tmp_path / "one.zip"))
    assert (partial / "checkpoint.safetensors").read_bytes() == b"worth hours"


def test_a_cancelled_addition_leaves_nothing(store: nid.RunStore, folder: Path, tmp_path: Path) -> None:
    def cancel(progress: nid.Progress) -> None:
        raise nid.Cancelled("Stopped.")

    with pytest.raises(nid.Cancelled):
        store.add_archive(forge(folder, tmp_path / "one.zip"), on_progress=cancel)
    assert [path for path in store.path.rglob("*") if path.is_file()] == []


def test_an_upload_is_taken_as_it_comes(store: nid.RunStore, folder: Path, tmp_path: Path) -> None:
    with forge(folder, tmp_path / "one.zip").open("rb") as file:
        assert [run.id for run in store.add_archive(file)] == ["one"]

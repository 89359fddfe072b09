"""A zip of runs is a file from a stranger: what is no run is refused whole, what is one comes in to the byte."""

import json
import shutil
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nearid_core as nid
from nearid_core.runs.run import RECORD, REPRESENTATIONS, SAMPLES

Files = dict[str, bytes]


def make_run(store: nid.RunStore, name: str, seed: int = 0) -> nid.Run:
    ids = [f"s{i}" for i in range(30)]
    record = {"id": name, "set": "made", "seed": seed, "status": "done", "dataset": {"name": "made"}}
    values = np.random.default_rng(seed).normal(size=(30, 3)).astype(np.float32)
    with store.begin(name, {"config": {}, "seed": seed}) as writer:
        return writer.finish(record, samples=pd.DataFrame({"sample_id": ids}), layers={"latent": values})


@pytest.fixture
def store(tmp_path: Path) -> nid.RunStore:
    return nid.RunStore(tmp_path / "here")


@pytest.fixture
def other(tmp_path: Path) -> nid.RunStore:
    return nid.RunStore(tmp_path / "there")


@pytest.fixture
def packed(store: nid.RunStore, tmp_path: Path) -> Path:
    return nid.export_run(make_run(store, "one"), tmp_path / "one.zip")


def files_of(path: Path) -> Files:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rewritten(path: Path, files: Files) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def with_record(change: Callable[[dict], object]) -> Callable[[Path], None]:
    def lie(path: Path) -> None:
        files = files_of(path)
        record = json.loads(files[f"one/{RECORD}"])
        change(record)
        rewritten(path, files | {f"one/{RECORD}": json.dumps(record).encode()})

    return lie


def with_entry(name: str, data: bytes = b"x", **attributes: int) -> Callable[[Path], None]:
    def add(path: Path) -> None:
        with zipfile.ZipFile(path, "a") as archive:
            entry = zipfile.ZipInfo(name)
            for key, value in attributes.items():
                setattr(entry, key, value)
            archive.writestr(entry, data)

    return add


def without(name: str) -> Callable[[Path], None]:
    def drop(path: Path) -> None:
        rewritten(path, {key: data for key, data in files_of(path).items() if key != f"one/{name}"})

    return drop


def with_file(name: str, data: bytes) -> Callable[[Path], None]:
    return lambda path: rewritten(path, files_of(path) | {f"one/{name}": data}) and None


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-200])


def flipped(path: Path) -> None:
    """One bit of the numbers, with the zip's own checksum made to fit."""
    numbers = bytearray(files_of(path)[f"one/{REPRESENTATIONS}"])
    numbers[-1] ^= 1
    with_file(REPRESENTATIONS, bytes(numbers))(path)


def bomb(path: Path) -> None:
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("one/weights.safetensors", b"\0" * (80 << 20))


LIES: dict[str, Callable[[Path], object]] = {
    "no zip": lambda path: path.write_bytes(b"not a zip"),
    "empty file": lambda path: path.write_bytes(b""),
    "truncated": truncated,
    "empty zip": lambda path: rewritten(path, {}),
    "absolute name": with_entry("/etc/nearid"),
    "drive": with_entry("C:/nearid"),
    "parent": with_entry("one/../../nearid"),
    "backslash": with_entry("one\\run.json"),
    "control character": with_entry("one/a\nb"),
    "link": with_entry("one/notes.json", b"/etc/passwd", external_attr=(stat.S_IFLNK | 0o777) << 16),
    "device": with_entry("one/notes.json", external_attr=(stat.S_IFCHR | 0o666) << 16),
    "other file": with_entry("one/run.pkl"),
    "nested archive": with_entry("one/more.zip"),
    "hidden run": with_entry(".sets/run.json", b"{}"),
    "twice": with_entry(f"ONE/{RECORD}".replace("ONE", "one").upper().replace("RUN.JSON", RECORD), b"{}"),
    "bomb": bomb,
    "no record": without(RECORD),
    "no numbers": without(REPRESENTATIONS),
    "no samples": without(SAMPLES),
    "a bit flipped": flipped,
    "record is a list": with_file(RECORD, b"[]"),
    "record nests deep": with_file(RECORD, b"[" * 200_000),
    "id leads out": with_record(lambda record: record.update(id="../one")),
    "set leads out": with_record(lambda record: record.update(set="../made")),
    "newer schema": with_record(lambda record: record.update(schema=999)),
    "status unknown": with_record(lambda record: record.update(status="<b>")),
    "file outside": with_record(lambda record: record["files"].update({"../x": {"bytes": 1, "digest": "0"}})),
    "config unknown": with_record(lambda record: record.update(config={"dataset": "rm -rf", "family": "x"})),
    "layer missing": with_record(lambda record: record["layers"].clear()),
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES.keys())
def test_what_is_no_archive_of_runs_is_refused_whole(
    packed: Path, other: nid.RunStore, tmp_path: Path, lie: Callable[[Path], object]
) -> None:
    lie(packed)
    before = {path for path in tmp_path.rglob("*") if other.path not in path.parents and path != other.path}
    with pytest.raises(nid.NearIdError) as refusal:
        other.add_archive(packed)
    assert str(refusal.value).count("\n") == 0
    assert other.runs() == []
    assert other.unfinished() == []
    assert [path for path in other.path.rglob("*") if path.is_file()] == []
    assert {path for path in tmp_path.rglob("*") if other.path not in path.parents and path != other.path} == before


def test_a_run_comes_back_to_the_byte(store: nid.RunStore, other: nid.RunStore, packed: Path) -> None:
    (added,) = other.add_archive(packed)
    for path in store.get("one").path.iterdir():
        assert (added.path / path.name).read_bytes() == path.read_bytes()
    np.testing.assert_array_equal(
        added.representation("latent").values, store.get("one").representation("latent").values
    )


def test_a_saved_choice_keeps_its_title(store: nid.RunStore, other: nid.RunStore, tmp_path: Path) -> None:
    chosen = store.save_set("my choice", [make_run(store, "one").id, make_run(store, "two", 1).id])
    other.add_archive(nid.export_set(chosen, tmp_path / "set.zip"))
    assert "my choice" in [one.title for one in other.sets()]
    assert [run.id for run in other.runs()] == ["one", "two"]


def test_the_same_runs_give_the_same_archive(store: nid.RunStore, packed: Path, tmp_path: Path) -> None:
    assert nid.export_run(store.get("one"), tmp_path / "again.zip").read_bytes() == packed.read_bytes()


def test_tags_and_the_note_travel_with_a_run(store: nid.RunStore, other: nid.RunStore, tmp_path: Path) -> None:
    store.tag(make_run(store, "one").id, "good", note="keep")
    other.add_archive(nid.export_run(store.get("one"), tmp_path / "one.zip"))
    assert other.get("one").notes == {"tags": ["good"], "note": "keep"}


def test_a_run_that_is_there_already_is_left_as_it_is(other: nid.RunStore, packed: Path) -> None:
    other.add_archive(packed)
    with pytest.raises(nid.InvalidInput, match="has its runs already"):
        other.add_archive(packed)


def test_another_run_of_the_same_id_is_not_replaced(other: nid.RunStore, packed: Path) -> None:
    make_run(other, "one", seed=9)
    with pytest.raises(nid.InvalidInput, match="another run one already"):
        other.add_archive(packed)


def test_one_bad_run_keeps_the_good_ones_out(store: nid.RunStore, other: nid.RunStore, tmp_path: Path) -> None:
    make_run(store, "one"), make_run(store, "two", 1)
    path = nid.export_set(store.get_set("made"), tmp_path / "both.zip")
    flipped(path)
    with pytest.raises(nid.CorruptRun, match="Run one was not added"):
        other.add_archive(path)
    assert other.runs() == []


def test_a_damaged_run_is_not_passed_on(store: nid.RunStore, tmp_path: Path) -> None:
    run = make_run(store, "one")
    data = bytearray((run.path / REPRESENTATIONS).read_bytes())
    data[-1] ^= 1
    (run.path / REPRESENTATIONS).write_bytes(data)
    with pytest.raises(nid.CorruptRun, match="is not the file that was stored"):
        nid.export_run(run, tmp_path / "one.zip")
    assert not (tmp_path / "one.zip").exists()


def test_a_file_that_is_there_is_not_overwritten(store: nid.RunStore, packed: Path) -> None:
    before = packed.read_bytes()
    with pytest.raises(nid.InvalidInput, match="exists already"):
        nid.export_run(store.get("one"), packed)
    assert packed.read_bytes() == before
    with pytest.raises(nid.InvalidInput, match=r"end in \.zip"):
        nid.export_run(store.get("one"), packed.with_suffix(".tar"))


def test_an_imported_table_travels_with_its_feature_names(
    store: nid.RunStore, other: nid.RunStore, tmp_path: Path
) -> None:
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 2)), columns=["area", "shape"])
    table.to_csv(tmp_path / "t.csv", index=False)
    (run,) = nid.import_runs([tmp_path / "t.csv"], store)
    (added,) = other.add_archive(nid.export_run(run, tmp_path / "t.zip"))
    assert added.feature_names(added.layers[0]) == run.feature_names(run.layers[0])
    assert added.is_table


def test_the_terminal_exports_and_adds(store: nid.RunStore, other: nid.RunStore, tmp_path: Path, capsys) -> None:
    from nearid_core.cli import main

    make_run(store, "one"), make_run(store, "two", 1)
    path = str(tmp_path / "made.zip")
    assert main(["runs", "export", "made", path, "--store", str(store.path)]) == 0
    assert main(["runs", "add", path, "--store", str(other.path)]) == 0
    assert "Added one, two" in capsys.readouterr().out
    assert main(["runs", "export", "none", path, "--store", str(store.path)]) == 2
    shutil.rmtree(other.path)
    assert main(["runs", "add", str(tmp_path / "absent.zip"), "--store", str(other.path)]) == 2

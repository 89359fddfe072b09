"""Each way in which a file is wrong has a sentence of its own, which says what to do."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nearid_core as nid
from nearid_core.runs import RunStore

Write = Callable[[Path], Path]
GOOD = "id,a,b\n" + "".join(f"s{i},{i / 7:.17f},{i / 3:.17f}\n" for i in range(400))


def _with(name: str, content: str | bytes) -> Write:
    def write(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def _cut(name: str, part: float, save: Callable[[Path], object]) -> Write:
    def write(folder: Path) -> Path:
        path = folder / name
        save(path)
        path.write_bytes(path.read_bytes()[: int(path.stat().st_size * part)])
        return path

    return write


def _frame() -> pd.DataFrame:
    return pd.DataFrame({"id": [f"s{i}" for i in range(400)], "a": np.arange(400) / 7})


def _folder(folder: Path) -> Path:
    (folder / "embeddings").mkdir()
    return folder / "embeddings"


def _broken_link(folder: Path) -> Path:
    (folder / "link.csv").symlink_to(folder / "moved.csv")
    return folder / "link.csv"


def _parquet_named_csv(folder: Path) -> Path:
    _frame().to_parquet(folder / "t.csv")
    return folder / "t.csv"


WRONG: dict[str, tuple[Write, str]] = {
    "not there": (lambda folder: folder / "gone.csv", r"There is no file .*gone\.csv"),
    "folder": (_folder, "is a folder; name the files in it"),
    "broken link": (_broken_link, "is a link to '.*moved.csv', which is not there"),
    "empty": (_with("t.csv", ""), "is empty: it has no bytes"),
    "empty gzip": (_with("t.csv.gz", gzip.compress(b"")), "is empty: it unpacks to no bytes"),
    "header only": (_with("t.csv", "id,a,b\n"), "has a header of 3 columns and no rows"),
    "one row": (_with("t.csv", "id,a,b\ns1,1,2\n"), "holds one sample; comparing needs at least two"),
    "no header": (_with("t.csv", "0.1,0.2\n0.3,0.4\n0.5,0.6\n"), "has no header: its first line is numbers"),
    "semicolons": (_with("t.csv", GOOD.replace(",", ";")), "is separated by semicolons, its name says commas"),
    "tabs": (_with("t.csv", GOOD.replace(",", "\t")), r"is separated by tabs.*rename it to end in \.tsv"),
    "commas": (_with("t.tsv", GOOD), "is separated by commas, its name says tabs"),
    "latin-1": (_with("t.csv", "id,µm\ns1,1\n".encode("latin-1")), "is not UTF-8: its byte 4 is 0xb5"),
    "latin-1 later": (_with("t.csv", GOOD.encode() + b"\xe9,1,2\n"), "is not UTF-8"),
    "utf-16": (_with("t.csv", GOOD.encode("utf-16")), "is encoded as UTF-16; save it as UTF-8"),
    "duplicate columns": (_with("t.csv", "id,a,a\ns1,1,2\ns2,3,4\n"), "1 column name more than once, such as 'a'"),
    "mixed types": (
        _with("t.csv", GOOD.replace("s9,1.2", "s9,failed")),
        "holds numbers and 1 other values, the first being 'failed.*' in row 10",
    ),
    "short line": (_with("t.csv", GOOD + "s400,1\n"), "line 402 has 2 fields where the header has 3"),
    "only text": (_with("t.csv", "id,name\ns1,x\ns2,y\n"), "has no features: it has no column of numbers"),
    "cut gzip": (_cut("t.csv.gz", 0.6, lambda p: p.write_bytes(gzip.compress(GOOD.encode()))), "is cut off: its gzip"),
    "cut parquet": (_cut("t.parquet", 0.6, lambda p: _frame().to_parquet(p)), "cannot be read as parquet"),
    "cut npy": (_cut("t.npy", 0.6, lambda p: np.save(p, np.ones((9, 9)))), r"its shape \(9, 9\) .* needs 648 bytes"),
    "cut npz": (_cut("t.npz", 0.6, lambda p: np.savez(p, a=np.ones((9, 9)))), "cannot be read as npz"),
    "renamed": (_parquet_named_csv, r"is a parquet file by its content.*rename it to end in \.parquet"),
    "text named npy": (_with("t.npy", GOOD), r"is a text file by its content.*rename it to end in \.csv"),
    "web page": (_with("t.csv", "<!DOCTYPE html><html>404</html>"), "is a web page by its content: probably an error"),
    "git-lfs": (_with("t.npy", "version https://git-lfs.github.com/spec/v1\n"), "git lfs pull"),
    "other format": (_with("t.xlsx", b"PK\x03\x04"), "is not read: expected a name that ends in .csv"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_file_has_its_own_sentence(what: str, tmp_path: Path, store: RunStore) -> None:
    write, says = WRONG[what]
    with pytest.raises((nid.InvalidInput, nid.UnsupportedFormat), match=says) as caught:
        nid.import_runs(write(tmp_path), store)
    assert "\n" not in str(caught.value)
    assert not store.path.exists()


def test_no_two_sentences_are_the_same() -> None:
    says = [sentence for _, sentence in WRONG.values()]
    assert len(set(says)) == len(says)


def test_an_array_that_is_not_a_matrix_says_its_shape(tmp_path: Path, store: RunStore) -> None:
    np.save(tmp_path / "t.npy", np.zeros((4, 3, 2)))
    with pytest.raises(nid.UnsupportedFormat, match=r"has shape \(4, 3, 2\); expected a matrix"):
        nid.import_runs(tmp_path / "t.npy", store)


def test_arrays_that_differ_in_rows_are_listed(tmp_path: Path, store: RunStore) -> None:
    np.savez(tmp_path / "t.npz", a=np.zeros((4, 3)), b=np.zeros((5, 3)))
    with pytest.raises(nid.UnsupportedFormat, match=r"a \(4, 3\), b \(5, 3\)"):
        nid.import_runs(tmp_path / "t.npz", store)


def test_a_byte_order_mark_and_windows_line_ends_are_read(tmp_path: Path, store: RunStore) -> None:
    (tmp_path / "t.csv").write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    (run,) = nid.import_runs(tmp_path / "t.csv", store)
    assert run.samples["sample_id"].tolist()[:2] == ["s0", "s1"]

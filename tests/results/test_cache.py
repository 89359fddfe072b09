import os

import numpy as np
import pandas as pd
import pytest

from nearid_core.results import Entry, ResultCache


@pytest.fixture
def entry():
    return Entry({"t": pd.DataFrame({"x": [1.5, np.nan], "name": ["a", None]})}, {"z": np.arange(6.0)}, {"note": "é"})


def test_what_is_saved_comes_back(tmp_path, entry):
    cache = ResultCache(tmp_path)
    cache.save("kind", {"a": 1}, entry)
    found = cache.load("kind", {"a": 1})
    pd.testing.assert_frame_equal(found.tables["t"], entry.tables["t"])
    np.testing.assert_array_equal(found.arrays["z"], entry.arrays["z"])
    assert found.meta == {"note": "é"}


def test_another_setting_is_another_entry(tmp_path, entry):
    cache = ResultCache(tmp_path)
    cache.save("kind", {"a": 1}, entry)
    assert cache.load("kind", {"a": 2}) is None
    assert cache.load("other", {"a": 1}) is None


def test_a_damaged_entry_counts_as_absent(tmp_path, entry):
    cache = ResultCache(tmp_path)
    cache.save("kind", 1, entry)
    next(tmp_path.glob("kind-*/t.parquet")).write_bytes(b"broken")
    assert cache.load("kind", 1) is None
    cache.save("kind", 1, entry)
    assert cache.load("kind", 1) is not None


def test_the_least_recently_used_goes_first(tmp_path, entry):
    cache = ResultCache(tmp_path)
    for key in range(3):
        cache.save("kind", key, entry)
    for age, key in enumerate((1, 2, 0)):  # 1 was used last
        os.utime(tmp_path / cache_name(tmp_path, cache, key), (1e9 - age, 1e9 - age))
    size = sum(file.stat().st_size for file in next(tmp_path.glob("kind-*")).iterdir())
    ResultCache(tmp_path, limit=int(2.5 * size)).save("kind", 3, entry)
    assert cache.load("kind", 1) is not None
    assert cache.load("kind", 3) is not None
    assert cache.load("kind", 0) is None


def cache_name(folder, cache, key):
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    os.utime(folder, None)
    cache.load("kind", key)
    touched = [name for name, time in before.items() if (folder / name).stat().st_mtime_ns != time]
    return touched[0]


def test_shipped_results_are_read_and_never_written(tmp_path, entry):
    shipped = ResultCache(tmp_path / "shipped", shipped=())
    shipped.save("kind", 1, entry)
    before = sorted(path.stat().st_mtime_ns for path in (tmp_path / "shipped").rglob("*.*"))
    cache = ResultCache(tmp_path / "own", shipped=(tmp_path / "shipped",))
    assert cache.load("kind", 1) is not None
    cache.save("kind", 2, entry)
    assert sorted(path.stat().st_mtime_ns for path in (tmp_path / "shipped").rglob("*.*")) == before


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path, entry):
    (tmp_path / "file").write_text("in the way")
    cache = ResultCache(tmp_path / "file" / "cache")
    cache.save("kind", 1, entry)
    assert cache.load("kind", 1) is None

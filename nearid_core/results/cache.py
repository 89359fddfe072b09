"""Derived results on disk, under a key made of what they were computed from.

A key holds content digests, every setting that matters and the version of the algorithm, so a second look is instant
and a stale answer is impossible. The cache is in the user's cache folder (the store may be read-only) and evicts what
was used longest ago; results that ship with the demo are read from beside it and never change.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nearid_core.digest import json_digest

ENVIRONMENT = "NEARID_CACHE"
LIMIT = 2 << 30  # bytes
SHIPPED = Path(__file__).parents[2] / "data" / "demo" / "results"


@dataclass(frozen=True, eq=False)
class Entry:
    """What a result is on disk: tables, arrays and a JSON-able rest."""

    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)
    meta: Mapping[str, Any] = field(default_factory=dict)


class ResultCache:
    """A folder of entries.

    path : default ``$NEARID_CACHE``, else the user's cache folder.
    shipped : folders that are read after it and never written.
    limit : bytes kept.
    """

    def __init__(self, path: Path | None = None, shipped: tuple[Path, ...] = (SHIPPED,), limit: int = LIMIT) -> None:
        self.path = path or default_cache()
        self.shipped = shipped
        self.limit = limit

    def load(self, kind: str, key: Any) -> Entry | None:
        """The entry, or None. One that cannot be read counts as absent: it will be computed again."""
        name = _name(kind, key)
        own = self.path / name
        if own.is_dir():
            try:
                entry = _read(own)
                os.utime(own)  # used now: evicted last
                return entry
            except (OSError, ValueError, KeyError, zipfile.BadZipFile):
                shutil.rmtree(own, ignore_errors=True)
        for folder in self.shipped:
            if (folder / name).is_dir():
                return _read(folder / name)
        return None

    def save(self, kind: str, key: Any, entry: Entry) -> None:
        """Keep an entry. A cache that cannot be written costs a recomputation, so it is no error."""
        with contextlib.suppress(OSError):
            self.path.mkdir(parents=True, exist_ok=True)
            fresh = Path(tempfile.mkdtemp(prefix=".new-", dir=self.path))
            try:
                _write(fresh, entry)
                fresh.rename(self.path / _name(kind, key))
            except OSError:  # another process was first, or the disk is full
                shutil.rmtree(fresh, ignore_errors=True)
            self._evict()

    def _evict(self) -> None:
        folders = sorted((f for f in self.path.iterdir() if f.is_dir()), key=lambda f: f.stat().st_mtime, reverse=True)
        total = 0
        for folder in folders:
            total += sum(file.stat().st_size for file in folder.iterdir())
            if total > self.limit:
                shutil.rmtree(folder, ignore_errors=True)


def default_cache() -> Path:
    import platformdirs

    given = os.environ.get(ENVIRONMENT)
    return Path(given).expanduser().absolute() if given else platformdirs.user_cache_path("nearid") / "results"


def _name(kind: str, key: Any) -> str:
    return f"{kind}-{json_digest(key)}"


def _write(folder: Path, entry: Entry) -> None:
    for name, table in entry.tables.items():
        table.to_parquet(folder / f"{name}.parquet", index=False)
    np.savez_compressed(folder / "arrays.npz", allow_pickle=False, **entry.arrays)
    listing = {"tables": list(entry.tables), "meta": entry.meta}
    (folder / "entry.json").write_text(json.dumps(listing), "utf-8")


def _read(folder: Path) -> Entry:
    listing = json.loads((folder / "entry.json").read_text("utf-8"))
    tables = {name: pd.read_parquet(folder / f"{name}.parquet") for name in listing["tables"]}
    with np.load(folder / "arrays.npz", allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    return Entry(tables, arrays, listing["meta"])

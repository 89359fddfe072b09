"""What the files would become, read once for each mapping."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from nearid_core.exchange import Mapping, Preview, guess, preview
from nearid_core.exchange.mapping_toml import mapping_to_toml
from nearid_core.progress import Progress, ProgressCallback

_KEPT = 6  # previews of a visit; they hold no values, only what was read of the other columns
_LOOKED = "import_looked"


def guessed(paths: Sequence[Path]) -> tuple[list[Path], Mapping]:
    """The files with representations, and what their columns probably are."""
    return _once(("guess", *_stamp(paths)), lambda: guess(paths))


def look(paths: Sequence[Path], mapping: Mapping) -> Preview:
    """The preview, with a bar while a large file is read."""

    def read() -> Preview:
        bar = st.progress(0.0, text="Reading")

        try:
            return preview(paths, mapping, on_progress=rows_on(bar))
        finally:
            bar.empty()

    sides = [path.parent / step.file for path in paths[:1] for step in mapping.joins]
    return _once((mapping_to_toml(mapping), *_stamp([*paths, *sides])), read)


def rows_on(bar: Any) -> ProgressCallback:
    """Tells how many rows are done on a bar of the page."""

    def tell(progress: Progress) -> None:
        bar.progress(progress.fraction, text=f"{progress.what}: {progress.done:,} of {progress.total:,} rows")

    return tell


def _once(key: tuple[Any, ...], read: Any) -> Any:
    """What was read under this key, or what is read now. (Streamlit's own caches would show the bar again.)"""
    kept = st.session_state.setdefault(_LOOKED, {})
    if key not in kept:
        while len(kept) >= _KEPT:
            kept.pop(next(iter(kept)))
        kept[key] = read()
    return kept[key]


def _stamp(paths: Sequence[Path]) -> tuple[Any, ...]:
    """Which files, and whether they are still the same."""
    found = []
    for path in paths:
        stat = path.stat() if path.exists() else None
        found.append((str(path), stat and (stat.st_size, stat.st_mtime_ns)))
    return tuple(found)

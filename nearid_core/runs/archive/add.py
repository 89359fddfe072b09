"""Runs from a zip into a store: all of them, or none."""

from __future__ import annotations

import contextlib
import json
import shutil
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from nearid_core.errors import InvalidInput, UnsupportedFormat
from nearid_core.progress import Progress, ProgressCallback, ignore
from nearid_core.runs import claim
from nearid_core.runs.archive.contents import Contents, Entry, read_contents
from nearid_core.runs.archive.source import copy, opened
from nearid_core.runs.archive.verify import verify
from nearid_core.runs.run import RECORD, Run
from nearid_core.runs.writer import RunWriter

if TYPE_CHECKING:
    from nearid_core.runs.store import RunStore

_BEGUN_BY = "archive"  # marks a claim in a request, so that what a killed process left is told from a training


def add_archive(
    store: RunStore, source: str | Path | BinaryIO, *, on_progress: ProgressCallback | None = None
) -> list[Run]:
    """See `RunStore.add_archive`."""
    store.prepare()
    _clear_abandoned(store)
    with opened(source) as (archive, name, size):
        contents = read_contents(archive, name, size)
        chosen = _chosen(archive, contents, name)
        new = _new_runs(store, archive, contents, name)
        _check_space(store, contents, new, name)
        with contextlib.ExitStack() as claims:
            writers = [claims.enter_context(store.begin(run_id, {_BEGUN_BY: name})) for run_id in new]
            tell = _Tell(name, contents.bytes, on_progress or ignore)
            folders = [_unpack(archive, contents.runs[writer.run_id], writer, tell) for writer in writers]
            runs = _publish(writers, folders)
    if chosen is not None:
        store.save_set(chosen["title"], chosen["runs"])
    return runs


class _Tell:
    """Counts unpacked bytes for `on_progress`."""

    def __init__(self, name: str, total: int, on_progress: ProgressCallback) -> None:
        self._name, self._total, self._on_progress = name, max(1, total), on_progress
        self._done, self._started = 0, time.monotonic()

    def __call__(self, count: int) -> None:
        self._done += count
        seconds = time.monotonic() - self._started
        self._on_progress(Progress(f"Adding {self._name}", self._done, self._total, seconds))


def _new_runs(store: RunStore, archive: zipfile.ZipFile, contents: Contents, name: str) -> list[str]:
    """The runs that the store does not have yet. One it has with this very record is left as it is."""
    new = []
    for run_id, files in contents.runs.items():
        if not (store.path / run_id).exists():
            new.append(run_id)
        elif _record_there(store, run_id) != archive.read(files[RECORD]):
            raise InvalidInput(
                f"{name} was not added: the store has another run {run_id} already; delete that one first, or add the "
                f"archive to another store."
            )
        if (store.path / RunWriter.FOLDER / run_id / RunWriter.CHECKPOINT).exists():
            raise InvalidInput(
                f"{name} was not added: run {run_id} is half trained in this store; finish or discard that first."
            )
    if not new:
        some = ", ".join(list(contents.runs)[:3]) + " ..." * (len(contents.runs) > 3)
        raise InvalidInput(f"{name} was not added: the store has its runs already ({some}).")
    return new


def _record_there(store: RunStore, run_id: str) -> bytes | None:
    with contextlib.suppress(OSError):
        return (store.path / run_id / RECORD).read_bytes()
    return None


def _check_space(store: RunStore, contents: Contents, new: list[str], name: str) -> None:
    needed = sum(entry.file_size for run_id in new for entry in contents.runs[run_id].values())
    free = shutil.disk_usage(store.path).free
    if needed > free:
        raise InvalidInput(f"{name} was not added: it needs {needed:,} bytes and the store's disk has {free:,} left.")


def _unpack(archive: zipfile.ZipFile, files: dict[str, Entry], writer: RunWriter, tell: _Tell) -> Path:
    """The run in a folder beside the store's runs, verified."""
    folder = writer.folder / writer.run_id
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    digests = {}
    for file_name, entry in files.items():
        digests[file_name] = copy(archive, entry, folder / file_name, tell)
        writer.heartbeat()
    verify(folder, digests)
    return folder


def _publish(writers: list[RunWriter], folders: list[Path]) -> list[Run]:
    """Rename all into the store; when one fails, those before it are taken out again."""
    runs: list[Run] = []
    try:
        for writer, folder in zip(writers, folders, strict=True):
            runs.append(writer.publish(folder))
    except BaseException as error:
        for run in runs:
            shutil.rmtree(run.path, ignore_errors=True)
        if isinstance(error, OSError):
            raise InvalidInput(f"The archive was not added: the store refused it ({error.strerror}).") from None
        raise
    return runs


def _chosen(archive: zipfile.ZipFile, contents: Contents, name: str) -> dict[str, Any] | None:
    """Title and runs of the saved choice that the archive is, where it is one."""
    if contents.chosen is None:
        return None
    try:
        chosen = json.loads(archive.read(contents.chosen))
        title, runs = chosen["title"], chosen["runs"]
        fits = isinstance(title, str) and title.isprintable() and 0 < len(title) <= 200 and isinstance(runs, list)
        fits = fits and set(runs) == set(contents.runs)
    except (ValueError, KeyError, TypeError, RecursionError):
        fits = False
    if not fits:
        raise UnsupportedFormat(f"{name} was not added: its set.json is not a title and the ids of its runs.")
    return {"title": title, "runs": runs}


def _clear_abandoned(store: RunStore) -> None:
    """Remove what a process left behind that was killed while it added an archive."""
    for folder in _begun_by_archives(store):
        if claim.take(folder):
            claim.clear(folder)


def _begun_by_archives(store: RunStore) -> Iterator[Path]:
    for folder in (store.path / RunWriter.FOLDER).glob("*"):
        with contextlib.suppress(OSError, ValueError):
            if _BEGUN_BY in json.loads((folder / RunWriter.REQUEST).read_text("utf-8")):
                yield folder

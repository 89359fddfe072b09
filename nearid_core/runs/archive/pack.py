"""Runs into one zip."""

from __future__ import annotations

import hashlib
import json
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path

from nearid_core.errors import CorruptRun, InvalidInput
from nearid_core.progress import Progress, ProgressCallback, ignore
from nearid_core.runs.archive.contents import SET
from nearid_core.runs.archive.source import BLOCK
from nearid_core.runs.atomic import whole_file
from nearid_core.runs.run import NOTES, RECORD, Run

_WHEN = (1980, 1, 1, 0, 0, 0)  # the same runs give the same archive, to the byte


def pack(
    runs: Sequence[Run],
    path: Path,
    *,
    title: str | None = None,
    overwrite: bool = False,
    on_progress: ProgressCallback = ignore,
) -> Path:
    """Write runs, with their tags and notes, as a zip that `RunStore.add_archive` takes.

    title : of the saved choice that the runs are; None where their records name their set.

    Raises CorruptRun when a file is not the one that was stored: a damaged run is not passed on. Raises InvalidInput
    when `path` exists and may not be overwritten.
    """
    total = sum(stored["bytes"] for run in runs for stored in run.record["files"].values())
    started, done = time.monotonic(), 0
    with whole_file(path, overwrite=overwrite) as beside, zipfile.ZipFile(beside, "w") as archive:
        if title is not None:
            _write(archive, SET, json.dumps({"title": title, "runs": [run.id for run in runs]}).encode())
        for run in runs:
            for name in (RECORD, NOTES):
                if (run.path / name).is_file():
                    _write(archive, f"{run.id}/{name}", (run.path / name).read_bytes())
            for name, stored in run.record["files"].items():
                if _copy(archive, run, name) != stored["digest"]:
                    raise CorruptRun(f"Run {run.id} is damaged: {name} is not the file that was stored.")
                done += stored["bytes"]
                on_progress(Progress(f"Packing {run.id}", done, max(1, total), time.monotonic() - started))
    return path


def _entry(name: str, method: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _WHEN)
    entry.compress_type = method
    entry.create_system = 3  # Unix, on every system
    entry.external_attr = 0o100644 << 16
    return entry


def _write(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    archive.writestr(_entry(name, zipfile.ZIP_DEFLATED), data)


def _copy(archive: zipfile.ZipFile, run: Run, name: str) -> str:
    """Add a file of a run as it is, numbers hardly get smaller; its digest."""
    hasher = hashlib.blake2b(digest_size=16)
    entry = _entry(f"{run.id}/{name}", zipfile.ZIP_STORED)
    try:
        source = (run.path / name).open("rb")
    except OSError as error:
        raise InvalidInput(f"{name} of run {run.id} cannot be read ({error.strerror}).") from None
    with source, archive.open(entry, "w", force_zip64=True) as packed:
        while block := source.read(BLOCK):
            hasher.update(block)
            packed.write(block)
    return hasher.hexdigest()

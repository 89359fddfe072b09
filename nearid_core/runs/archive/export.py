"""A run, or a run set, as a file to mail."""

from __future__ import annotations

from pathlib import Path

from nearid_core.errors import InvalidInput
from nearid_core.progress import ProgressCallback, ignore
from nearid_core.runs.archive.pack import pack
from nearid_core.runs.run import Run, RunSet


def export_run(run: Run, path: str | Path, *, overwrite: bool = False, on_progress: ProgressCallback = ignore) -> Path:
    """Write one run as a zip that `RunStore.add_archive` of another store takes; returns its path.

    Raises InvalidInput for a name that does not end in .zip, or a file that is there and may not be overwritten;
    CorruptRun for a damaged run.
    """
    return pack([run], _zip(path), overwrite=overwrite, on_progress=on_progress)


def export_set(
    runs: RunSet, path: str | Path, *, overwrite: bool = False, on_progress: ProgressCallback = ignore
) -> Path:
    """The same for all runs of a set; a saved choice keeps its title."""
    if not runs.runs:
        raise InvalidInput(f"Run set {runs.id} has no runs to export.")
    title = runs.title if any(run.set_id != runs.id for run in runs.runs) else None
    return pack(runs.runs, _zip(path), title=title, overwrite=overwrite, on_progress=on_progress)


def _zip(path: str | Path) -> Path:
    if Path(path).suffix.lower() != ".zip":
        raise InvalidInput(f"{path} does not end in .zip; runs are exported as zip archives.")
    return Path(path)

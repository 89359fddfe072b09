"""Whether a run folder from elsewhere is a run: record, digests, arrays and tables, each before it is trusted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nearid_core.errors import CorruptRun, InvalidInput, NearIdError
from nearid_core.runs.archive.record import check_record
from nearid_core.runs.archive.table import check_table
from nearid_core.runs.run import (
    FEATURES,
    HISTORY,
    NOTES,
    RECORD,
    REPRESENTATIONS,
    SAMPLES,
    WEIGHTS,
    Run,
    map_safetensors,
)

_LARGEST_HISTORY = 10_000_000  # rows


def verify(folder: Path, digests: Mapping[str, str]) -> Run:
    """The run in `folder`, everything of which has been looked at.

    digests : of each file of the folder, as it was unpacked.

    Raises CorruptRun or UnsupportedFormat with what is wrong. Memory is that of the samples' table, at most 1 GiB.
    """
    try:
        run = Run(folder)
        check_record(run.record)
        _check_files(run, digests)
        _check_notes(folder)
        if run.status == "done":
            _check_arrays(run)
        if HISTORY in digests:
            check_table(folder / HISTORY, at_most=_LARGEST_HISTORY)
        if FEATURES in digests:
            _check_features(run)
        if WEIGHTS in digests:
            _map(folder / WEIGHTS)
    except InvalidInput as error:
        raise CorruptRun(f"Run {folder.name} was not added: {error}") from None
    except NearIdError as error:
        raise type(error)(f"Run {folder.name} was not added: {_without(folder, str(error))}") from None
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise CorruptRun(f"Run {folder.name} was not added: its record is not one ({type(error).__name__}).") from None
    return run


def _check_files(run: Run, digests: Mapping[str, str]) -> None:
    listed, there = run.record["files"], set(digests) - {RECORD, NOTES}
    if set(listed) != there:
        odd = ", ".join(sorted(set(listed) ^ there))
        raise CorruptRun(f"its record and its files do not name the same ({odd}).")
    for name, stored in listed.items():
        if digests[name] != stored["digest"]:
            raise CorruptRun(f"{name} is not the file that its record describes (another digest).")
    needed = {SAMPLES, REPRESENTATIONS} if run.status == "done" else set()
    if needed - there:
        raise CorruptRun(f"it is done and has no {' and no '.join(sorted(needed - there))}.")


def _check_arrays(run: Run) -> None:
    """Layers are those of the record, and every one has a row for each sample."""
    arrays = _map(run.path / REPRESENTATIONS)
    if not arrays or set(arrays) != set(run.layers):
        odd = ", ".join(sorted(set(arrays) ^ set(run.layers))[:3]) or "there are none"
        raise CorruptRun(f"its record and {REPRESENTATIONS} do not name the same layers ({ascii(odd)[1:-1]}).")
    rows = len(next(iter(arrays.values())))
    check_table(run.path / SAMPLES, exactly=rows)
    if "sample_id" not in run.samples.columns:
        raise CorruptRun(f"{SAMPLES} has no column sample_id.")
    for layer in run.layers:
        run.representation(layer)


def _check_features(run: Run) -> None:
    check_table(run.path / FEATURES, at_most=_LARGEST_HISTORY)
    for layer, described in run.record["layers"].items():
        names, width = run.feature_names(layer), described["shape"][1]
        if names is not None and len(names) != width:
            raise CorruptRun(f"{FEATURES} names {len(names)} features of layer {layer}, which has {width}.")


def _map(path: Path) -> dict[str, Any]:
    """The arrays of a safetensors file, none of which lies in another: their number bounds the work on them."""
    arrays = map_safetensors(path)
    if sum(values.nbytes for values in arrays.values()) > path.stat().st_size:
        raise CorruptRun(f"{path.name} is damaged: its arrays overlap.")
    return arrays


def _check_notes(folder: Path) -> None:
    if not (folder / NOTES).exists():
        return
    notes = json.loads((folder / NOTES).read_text("utf-8"))
    fits = isinstance(notes, dict) and isinstance(notes.get("note"), str) and isinstance(notes.get("tags"), list)
    if not fits or not all(isinstance(tag, str) and len(tag) <= 200 for tag in notes["tags"]):
        raise CorruptRun(f"{NOTES} is not a note and a list of tags.")


def _without(folder: Path, sentence: str) -> str:
    """The sentence without the place where the run was unpacked, which is gone when somebody reads it."""
    return sentence.replace(f"{folder}/", "").replace(f"{folder}\\", "").replace(str(folder), folder.name)

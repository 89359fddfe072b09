"""What of a scan is wrong, and what goes by the user's choices."""

from __future__ import annotations

import numpy as np

from nearid_core.errors import InvalidInput
from nearid_core.exchange.layer import FileLayer
from nearid_core.exchange.mapping import Mapping
from nearid_core.exchange.problem import DROP_COLUMNS, DROP_ROWS, METADATA, Problem, action_for
from nearid_core.exchange.scan import Scan


def judged(
    layer: FileLayer, found: Scan, mapping: Mapping, kept: np.ndarray
) -> tuple[FileLayer, list[str], list[Problem]]:
    """The layer without the columns that go, the names of those that become metadata, and what was wrong; rows that
    go are taken out of `kept`."""
    file, problems = layer.table.path.name, []
    goes, moved = np.zeros(len(layer.names), bool), np.zeros(len(layer.names), bool)
    for kind, columns, rows, message in _findings(layer, found):
        action = action_for(kind, mapping.choices)
        concerned = tuple(np.array(layer.names, object)[columns])
        problems.append(Problem(kind, message, _count(kind, found, columns), file, concerned, action))
        if action == DROP_ROWS and rows is not None:
            kept &= ~rows
        if action == DROP_COLUMNS:
            goes |= columns
        if action == METADATA:
            moved |= columns
    if (goes | moved).all():
        raise InvalidInput(f"{file}: every feature of layer {mapping.layer} would be dropped; choose otherwise.")
    names = [name for name, moves in zip(layer.names, moved, strict=True) if moves and layer.matrix is None]
    return layer.keep(~(goes | moved)), names, problems


def _count(kind: str, found: Scan, columns: np.ndarray) -> int:
    return int({"nan": found.nan, "infinite": found.infinite}.get(kind, columns).sum())


def _findings(layer: FileLayer, found: Scan) -> list[tuple[str, np.ndarray, np.ndarray | None, str]]:
    """kind, (D,) columns, (N,) rows or None, sentence: for each thing that is wrong."""
    file, width = layer.table.path.name, len(layer.names)
    findings: list[tuple[str, np.ndarray, np.ndarray | None, str]] = []
    for kind, word, cells, rows in (
        ("nan", "empty or NaN", found.nan, found.nan_rows),
        ("infinite", "infinite", found.infinite, found.infinite_rows),
    ):
        if cells.any():
            message = (
                f"{file} has {cells.sum():,} {word} cells among its features, in {rows.sum():,} of {len(rows):,} rows "
                f"and {(cells > 0).sum():,} of {width:,} columns{_such_as(layer, cells > 0)}."
            )
            findings.append((kind, cells > 0, rows, message))
    for kind, columns, what in (
        ("constant", found.constant, "do not vary"),
        ("near_constant", found.near_constant, f"hardly vary but for a few rows, {_reach(found)} MADs away"),
        ("integer_coded", _categories(found, width), "hold few distinct whole numbers, as a category does"),
    ):
        if columns.any():
            message = f"{file}: {columns.sum():,} of {width:,} features {what}{_such_as(layer, columns)}."
            findings.append((kind, columns, None, message))
    return findings


def _categories(found: Scan, width: int) -> np.ndarray:
    """Coded columns, unless most are: counts are whole numbers too."""
    return found.coded if 2 * found.coded.sum() < width else np.zeros(width, bool)


def _reach(found: Scan) -> str:
    reach = found.extreme[found.near_constant & np.isfinite(found.extreme)]
    return f"up to {reach.max():,.0f}" if len(reach) else "infinitely many"


def _such_as(layer: FileLayer, columns: np.ndarray) -> str:
    if layer.matrix is not None and layer.names[0] == "0":
        return ""
    first = [layer.names[j] for j in np.flatnonzero(columns)[:3]]
    return f" ({', '.join(first)}{', ...' if columns.sum() > 3 else ''})"

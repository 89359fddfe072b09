"""One file with what is known of its samples: joined, derived, recoded, named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pandas as pd

from nearid_core.errors import InvalidInput
from nearid_core.exchange.derived import derive, recode
from nearid_core.exchange.feature_choice import choose_layers
from nearid_core.exchange.joining import JoinReport, join
from nearid_core.exchange.judged import judged
from nearid_core.exchange.keys import key_text
from nearid_core.exchange.layer import FileLayer
from nearid_core.exchange.mapping import Mapping
from nearid_core.exchange.problem import DROP_ROWS, Problem, action_for
from nearid_core.exchange.readers import Table
from nearid_core.exchange.scan import Scan, scan
from nearid_core.registry import unknown


@dataclass(frozen=True, eq=False)
class Source:
    """samples : (N) rows of the file with everything known about them, but not their ids; ids : (N,) text, None where
    there is none; kept : (N,) bool, the rows that stay by the user's choices; label : what the file's name says it is.
    """

    table: Table
    label: str
    samples: pd.DataFrame
    ids: pd.Series
    kept: np.ndarray
    layers: dict[str, FileLayer]
    joins: tuple[JoinReport, ...]
    problems: tuple[Problem, ...]
    scans: dict[str, Scan] = field(default_factory=dict)


def assemble(table: Table, mapping: Mapping, label: str) -> Source:
    """Read what is known about the samples, and choose the features; their numbers are not read yet.

    Raises InvalidInput for a column that is not there.
    """
    _check_rows(table)
    used = {*mapping.named_columns, *(key for step in mapping.joins for key in step.left)}
    used |= {step.source for step in mapping.derive} | {step.column for step in mapping.recode}
    layers, mixed = choose_layers(table, mapping, used)
    nested = [column.name for column in table.columns if column.kind == "nested"]
    features = {name for layer in layers.values() if layer.matrix is None for name in layer.names}
    known = [column.name for column in table.columns if column.name not in features and column.name not in nested]
    samples = table.frame(known)
    kept = np.ones(len(samples), bool)
    problems = [*mixed, *_nested(table.path, nested, mapping)]
    samples, joins = _joined(samples, table.path, mapping, kept, problems)
    samples = _changed(samples, table.path.name, mapping, kept, problems)
    _check_roles(samples, mapping, table.path.name)
    problems += _controls(samples, mapping, table.path.name)
    ids = _ids(samples, mapping)
    problems += _check_ids(ids, table.path.name, mapping, kept)
    return Source(table, label, samples, ids, kept, layers, tuple(joins), tuple(problems))


def scanned(source: Source, mapping: Mapping, on_rows: Callable[[int], None]) -> Source:
    """With what is wrong in the numbers, and the rows and columns gone that the user wants gone."""
    problems, kept, layers, scans, samples = list(source.problems), source.kept.copy(), {}, {}, source.samples
    for name, layer in source.layers.items():
        found = scan(layer, source.kept, on_rows)
        layers[name], moved, said = judged(layer, found, mapping, kept)
        problems += said
        scans[name] = found
        if moved:
            samples = pd.concat([samples, source.table.frame(moved).set_axis(samples.index)], axis=1)
    return replace(source, samples=samples, kept=kept, layers=layers, problems=tuple(problems), scans=scans)


def _check_rows(table: Table) -> None:
    if table.n_rows < 2:
        raise InvalidInput(
            f"{table.path.name} holds {'one sample' if table.n_rows else 'no samples'}; comparing needs at least two, "
            f"one a row."
        )


def _nested(path: Path, names: list[str], mapping: Mapping) -> list[Problem]:
    if not names:
        return []
    message = f"{path.name} has {len(names)} columns of lists or records, such as {names[0]!r}, which are not kept."
    return [Problem("nested", message, len(names), path.name, tuple(names), action_for("nested", mapping.choices))]


def _joined(
    samples: pd.DataFrame, path: Path, mapping: Mapping, kept: np.ndarray, problems: list[Problem]
) -> tuple[pd.DataFrame, list[JoinReport]]:
    reports = []
    for step in mapping.joins:
        joined = join(samples, step, path.parent, mapping.choices)
        samples = joined.samples
        reports.append(joined.report)
        problems += joined.problems
        kept &= ~joined.drop
    return samples, reports


def _changed(
    samples: pd.DataFrame, file: str, mapping: Mapping, kept: np.ndarray, problems: list[Problem]
) -> pd.DataFrame:
    for step in mapping.derive:
        column, said, drop = derive(samples, step, file, mapping.choices)
        samples = samples.assign(**{step.column: column})
        problems += said
        kept &= ~drop
    for merge in mapping.recode:
        column, said = recode(samples, merge, file, mapping.choices)
        samples = samples.assign(**{merge.into or merge.column: column})
        problems += said
    return samples


def _check_roles(samples: pd.DataFrame, mapping: Mapping, file: str) -> None:
    made = {"batch"} if mapping.files == "batches" else set()  # stacking makes this one
    for name in mapping.named_columns:
        if name not in samples and name not in made:
            raise InvalidInput(unknown(f"column of {file} or what is joined to it", name, samples.columns))


def _controls(samples: pd.DataFrame, mapping: Mapping, file: str) -> list[Problem]:
    problems = []
    for control in mapping.controls:
        if control.column in samples and not (key_text(samples[control.column]) == control.value).any():
            message = (
                f"No sample of {file} is the {control.kind} control: none has {control.value!r} in {control.column}."
            )
            action = action_for("control_absent", mapping.choices)
            problems.append(Problem("control_absent", message, 0, file, (control.column,), action))
    return problems


def _ids(samples: pd.DataFrame, mapping: Mapping) -> pd.Series:
    if not mapping.sample_id:
        return pd.Series(np.arange(len(samples)).astype(str), samples.index, dtype="str")
    # with the run in their names no two runs would ever hold the same samples
    names = [name for name in mapping.sample_id if name != mapping.run] or mapping.sample_id
    parts = [key_text(samples[name]) for name in names]
    ids = parts[0]
    for part in parts[1:]:
        ids = ids + "_" + part
    return ids


def _check_ids(ids: pd.Series, file: str, mapping: Mapping, kept: np.ndarray) -> list[Problem]:
    problems = []
    by = " + ".join(mapping.sample_id)
    if ids.isna().any():
        action = action_for("missing_ids", mapping.choices)
        message = f"{int(ids.isna().sum()):,} rows of {file} have no sample id: {by} is empty there."
        problems.append(Problem("missing_ids", message, int(ids.isna().sum()), file, mapping.sample_id, action))
        kept &= ids.notna().to_numpy()
    if mapping.run is None and ids[kept].duplicated().any():
        again = ids[kept].duplicated()
        action = action_for("duplicate_ids", mapping.choices)
        message = (
            f"{int(again.sum()):,} of {len(ids):,} rows of {file} repeat the sample id of an earlier row by {by}, the "
            f"first being {ids[kept][again].iloc[0]!r}; name more columns, or drop them."
        )
        problems.append(Problem("duplicate_ids", message, int(again.sum()), file, mapping.sample_id, action))
        if action == DROP_ROWS:
            kept &= ~ids.duplicated().to_numpy()
    return problems

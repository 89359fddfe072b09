"""What an import would do, before it does anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from nearid_core.errors import InvalidInput
from nearid_core.exchange.guess_mapping import guess
from nearid_core.exchange.joining import JoinReport
from nearid_core.exchange.mapping import ROLES, Mapping
from nearid_core.exchange.plan import Plan, make_plan
from nearid_core.exchange.problem import Problem, check_choices
from nearid_core.exchange.source import Source
from nearid_core.progress import ProgressCallback, ignore

_FIRST_ROWS = 8
_FIRST_FEATURES = 6
_LONGEST_EXAMPLE = 60  # characters


@dataclass(frozen=True, eq=False)
class Preview:
    """What an import would do; nothing has been written.

    paths : the files with representations, in order; side tables are in ``mapping.joins``.
    mapping : as given, or guessed, to confirm and correct; `import_runs` takes it as it is.
    guessed : whether the mapping is a guess.
    columns : DataFrame, one row a column of the (first) joined table: ``column``, ``kind`` (number, integer, text,
        boolean, time), ``role`` (feature, sample_id, batch, ... or empty; several are separated by commas),
        ``distinct`` (of those that are not features, else NA), ``example`` (text).
    rows : the first rows, with sample_id first, then what is known about a sample, then the first features.
    layers : layer name to (rows, features), as they would be imported.
    runs : names of the runs that would be made; one for a table.
    kind : ``table`` where it is not a set of runs: seed and layer mean nothing then; else ``runs``.
    joins : what each join does.
    problems : what is wrong, with counts; ``problem.stops`` where nothing is imported until the user chooses.
    missing : what still has to be said, a sentence each.
    plan : what `import_runs` would carry out.
    """

    paths: tuple[Path, ...]
    mapping: Mapping
    guessed: bool
    columns: pd.DataFrame
    rows: pd.DataFrame
    layers: dict[str, tuple[int, int]]
    runs: tuple[str, ...]
    kind: str
    joins: tuple[JoinReport, ...]
    problems: tuple[Problem, ...]
    missing: tuple[str, ...]
    plan: Plan

    @property
    def ready(self) -> bool:
        """Whether `import_runs` would import it as things stand."""
        return not self.missing and not any(problem.stops for problem in self.problems)


def preview(
    paths: str | Path | Sequence[str | Path],
    mapping: Mapping | None = None,
    *,
    on_progress: ProgressCallback = ignore,
) -> Preview:
    """Read the files once, in blocks, and say what an import would do and what is wrong.

    paths : files with representations. Without a mapping, side tables among them are recognised and joined.
    mapping : what is known; without one it is guessed.

    Raises InvalidInput for a file or column that is not there, UnsupportedFormat for a file that cannot be read.
    """
    files = as_paths(paths)
    guessed = mapping is None
    if mapping is None:
        files, mapping = guess(files)
    mapping = replace(mapping, choices=check_choices(mapping.choices))
    plan = make_plan(files, mapping, on_progress)
    first = plan.runs[0] if plan.runs else None
    return Preview(
        paths=plan.paths,
        mapping=mapping,
        guessed=guessed,
        columns=_columns(plan.sources[0], mapping),
        rows=_rows(plan),
        layers={layer: first.shape(layer) for layer in first.layers} if first else {},
        runs=tuple(run.name for run in plan.runs),
        kind=plan.kind,
        joins=plan.sources[0].joins,
        problems=plan.problems,
        missing=plan.missing,
        plan=plan,
    )


def as_paths(paths: str | Path | Sequence[str | Path]) -> list[Path]:
    """Raises InvalidInput where a file is named twice."""
    given = [paths] if isinstance(paths, (str, Path)) else list(paths)
    files = [Path(path).expanduser() for path in given]
    twice = [file for file in files if files.count(file) > 1]
    if twice:
        raise InvalidInput(f"{twice[0]} is named twice.")
    return files


def _columns(source: Source, mapping: Mapping) -> pd.DataFrame:
    features = {name for layer in source.layers.values() if layer.matrix is None for name in layer.names}
    kinds = {column.name: column.kind for column in source.table.columns}
    roles = _roles(mapping)
    rows = []
    for name in [*source.samples.columns, *(column.name for column in source.table.columns if column.name in features)]:
        known = source.samples[name].dropna() if name in source.samples else None
        rows.append(
            {
                "column": name,
                "kind": kinds.get(name) or _kind(source.samples[name]),
                "role": "feature" if name in features else ", ".join(roles.get(name, [])),
                "distinct": pd.NA if known is None else known.nunique(),
                "example": "" if known is None or known.empty else str(known.iloc[0])[:_LONGEST_EXAMPLE],
            }
        )
    return pd.DataFrame(rows, columns=["column", "kind", "role", "distinct", "example"]).astype({"distinct": "Int64"})


def _roles(mapping: Mapping) -> dict[str, list[str]]:
    roles: dict[str, list[str]] = {}
    pairs = [("sample_id", name) for name in mapping.sample_id]
    pairs += [("run", mapping.run), *((role, getattr(mapping, role)) for role in ROLES)]  # type: ignore[list-item]
    pairs += [(f"{control.kind} control", control.column) for control in mapping.controls]
    for role, name in pairs:
        if name:
            roles.setdefault(name, []).append(role)
    return roles


def _kind(series: pd.Series) -> str:
    if pd.api.types.is_bool_dtype(series):
        return "boolean"
    if pd.api.types.is_numeric_dtype(series):
        return "integer" if pd.api.types.is_integer_dtype(series) else "number"
    return "time" if pd.api.types.is_datetime64_any_dtype(series) else "text"


def _rows(plan: Plan) -> pd.DataFrame:
    """The first rows of the first file, as they are read."""
    source = plan.sources[0]
    known = source.samples.head(_FIRST_ROWS)
    shown = pd.concat(
        [source.ids.head(_FIRST_ROWS).rename("sample_id"), known.drop(columns="sample_id", errors="ignore")], axis=1
    )
    layer = next(iter(source.layers.values()))
    block = next(layer.blocks())[:_FIRST_ROWS, :_FIRST_FEATURES]
    features = pd.DataFrame(block, columns=list(layer.names[:_FIRST_FEATURES]), index=shown.index[: len(block)])
    return pd.concat([shown, features], axis=1)

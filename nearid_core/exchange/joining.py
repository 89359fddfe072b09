"""A side table joined to the samples. A join never makes rows, and says what a plain one would have done."""

from __future__ import annotations

from collections.abc import Mapping as Dict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from nearid_core.errors import InvalidInput
from nearid_core.exchange.keys import SEPARATOR, key_pair
from nearid_core.exchange.mapping import Join, Mapping
from nearid_core.exchange.problem import AGREE, DROP_ROWS, STOP, Problem, action_for
from nearid_core.exchange.readers import Table, open_table, stem
from nearid_core.registry import unknown


@dataclass(frozen=True)
class JoinReport:
    """What a join does, in numbers.

    file, left, right, several : of the join.
    rows_before : samples; rows_naive : rows that a plain join would make of them; rows_file : rows of the file.
    matched : samples that find a row; unmatched : those that do not, and the first of their keys.
    dropped : columns left out because the rows of one sample disagree in them.
    """

    file: str
    left: tuple[str, ...]
    right: tuple[str, ...]
    several: str
    rows_before: int
    rows_naive: int
    rows_file: int
    matched: int
    unmatched: int
    first_unmatched: str | None = None
    dropped: tuple[str, ...] = ()

    def __str__(self) -> str:
        by = " + ".join(self.left) if self.left else "row"
        text = f"{self.file}, by {by}: {self.matched:,} of {self.rows_before:,} samples find a row"
        if self.rows_naive != self.rows_before:
            text += f"; a plain join would make {self.rows_naive:,} rows of them"
        if self.dropped:
            text += f"; left out, since they differ within a sample: {', '.join(self.dropped)}"
        return text + "."


@dataclass(frozen=True)
class Joined:
    """samples : as many rows as before; drop : (N,) bool, rows that go by the user's choice."""

    samples: pd.DataFrame
    report: JoinReport
    problems: tuple[Problem, ...]
    drop: np.ndarray


def find_side_table(file: str, beside: Path) -> Path:
    """The joined file: beside the table, else as a path of its own."""
    path = Path(file).expanduser()
    candidates = [path] if path.is_absolute() else [beside / path, path]
    found = next((candidate for candidate in candidates if candidate.exists()), None)
    if found is None:
        raise InvalidInput(f"There is no file {file} to join: it is neither in {beside} nor in the current folder.")
    return found


def without_side_tables(paths: Sequence[Path], mapping: Mapping) -> list[Path]:
    """The files with representations. Those that the mapping joins may be named beside them, as a folder lists them."""
    for step in mapping.joins:
        left = [path for path in paths if path.name != Path(step.file).name]
        paths = left or list(paths)
    return list(paths)


def join(samples: pd.DataFrame, step: Join, beside: Path, choices: Dict[str, str]) -> Joined:
    """Add the columns of a side table to `samples`.

    Raises InvalidInput for a key or column that is not there.
    """
    path = find_side_table(step.file, beside)
    table = open_table(path)
    return _join_by_row(samples, step, table) if not step.left else _join_by_key(samples, step, table, choices)


def _join_by_row(samples: pd.DataFrame, step: Join, table: Table) -> Joined:
    n, n_file = len(samples), table.n_rows
    report = JoinReport(table.path.name, (), (), step.several, n, n, n_file, min(n, n_file), max(0, n - n_file))
    if n != n_file:
        message = (
            f"{table.path.name} has {n_file:,} rows and the table {n:,}, so rows cannot be matched by position; name "
            f"the columns by which they fit, or give the file that belongs to the table."
        )
        return Joined(
            samples, report, (Problem("join_rows", message, abs(n - n_file), table.path.name),), np.zeros(n, bool)
        )
    added = _renamed(table.frame(_wanted(step, table)), samples, stem(table.path))
    return Joined(pd.concat([samples, added.set_axis(samples.index)], axis=1), report, (), np.zeros(n, bool))


def _join_by_key(samples: pd.DataFrame, step: Join, table: Table, choices: Dict[str, str]) -> Joined:
    for name in step.left:
        if name not in samples:
            raise InvalidInput(unknown(f"column to join {table.path.name} by", name, samples.columns))
    side = table.frame(list(dict.fromkeys([*step.right, *_wanted(step, table)])))
    left, right = key_pair(samples[list(step.left)], side[list(step.right)])
    counts = right.value_counts()
    fitting = left.map(counts).fillna(0).astype(int)
    matched = fitting > 0
    several = bool((fitting > 1).any())
    action = step.several if step.several != STOP else action_for("join_several", choices)
    side = side.drop(columns=list(step.right))
    dropped: tuple[str, ...] = ()
    if several and action in (AGREE, STOP):  # where the user has not chosen, the preview shows what agreeing leaves
        of_samples = side[right.isin(set(left[matched])).to_numpy()]
        dropped = _disagreeing(of_samples, right[of_samples.index])
    first = ~right.duplicated().to_numpy()
    rows = pd.Index(right[first]).get_indexer(pd.Index(left.where(matched, None)))
    added = side[first].drop(columns=list(dropped)).reset_index(drop=True)
    added = added.reindex(pd.Index(np.where(matched, rows, -1))).set_axis(samples.index)
    added = _renamed(added, samples, stem(table.path))
    unmatched = int((~matched).sum())
    report = JoinReport(
        file=table.path.name,
        left=step.left,
        right=step.right,
        several=action if several else step.several,
        rows_before=len(samples),
        rows_naive=int(fitting.clip(lower=1).sum()),
        rows_file=len(side),
        matched=int(matched.sum()),
        unmatched=unmatched,
        first_unmatched=_shown(left[~matched].iloc[0]) if unmatched else None,
        dropped=dropped,
    )
    problems = _problems(report, action if several else None, int(fitting.max()), choices)
    drop = ~matched.to_numpy() & (action_for("join_unmatched", choices) == DROP_ROWS)
    return Joined(pd.concat([samples, added], axis=1), report, problems, drop)


def _problems(report: JoinReport, action: str | None, most: int, choices: Dict[str, str]) -> tuple[Problem, ...]:
    problems = []
    if action is not None:
        kept = f" ({', '.join(report.dropped)} differ and would go)" if report.dropped else ""
        problems.append(
            Problem(
                "join_several",
                f"A plain join with {report.file} by {' + '.join(report.left)} would turn {report.rows_before:,} rows "
                f"into {report.rows_naive:,}: up to {most} of its rows fit one sample; keep the columns in which they "
                f"agree{kept}, or take the first.",
                report.rows_naive - report.rows_before,
                report.file,
                report.dropped,
                action,
            )
        )
    if report.unmatched:
        problems.append(
            Problem(
                "join_unmatched",
                f"{report.unmatched:,} of {report.rows_before:,} samples find no row in {report.file} by "
                f"{' + '.join(report.left)}, the first being {report.first_unmatched}.",
                report.unmatched,
                report.file,
                report.left,
                action_for("join_unmatched", choices),
            )
        )
    return tuple(problems)


def _wanted(step: Join, table: Table) -> list[str]:
    there = [column.name for column in table.columns if column.kind != "nested"]
    for name in (*step.right, *step.columns):
        if name not in there:
            raise InvalidInput(unknown(f"column of {table.path.name}", name, there))
    return list(step.columns) or [name for name in there if name not in step.right]


def _disagreeing(side: pd.DataFrame, keys: pd.Series) -> tuple[str, ...]:
    if side.empty:
        return ()
    distinct = side.groupby(keys.to_numpy()).nunique(dropna=False).max()
    return tuple(str(name) for name in distinct.index[distinct > 1])


def _renamed(added: pd.DataFrame, samples: pd.DataFrame, file: str) -> pd.DataFrame:
    """A column that both have keeps its name in the samples; that of the file is told apart by the file's name."""
    return added.rename(columns={name: f"{file}.{name}" for name in added.columns if name in samples})


def _shown(key: object) -> str:
    return "a missing key" if pd.isna(key) else repr(str(key).replace(SEPARATOR, " + "))  # type: ignore[call-overload]

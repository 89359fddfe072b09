"""What an import would do, before it does anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from nearid_core.exchange.mapping import Mapping
from nearid_core.exchange.problem import Problem
from nearid_core.progress import ProgressCallback, ignore


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
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Preview:
    """What an import would do; nothing has been written.

    paths : the files with representations, in order; side tables are in ``mapping.joins``.
    mapping : as given, or guessed, to confirm and correct; `import_runs` takes it as it is.
    guessed : whether the mapping is a guess.
    columns : DataFrame, one row a column of the joined table: ``column``, ``kind`` (number, integer, text, ...),
        ``role`` (feature, sample_id, batch, ... or empty), ``distinct`` (of those that are not features, else NaN),
        ``example`` (text).
    rows : the first rows, with sample_id first, then what is known about a sample, then the first features.
    layers : layer name to (rows, features), as they would be imported.
    runs : names of the runs that would be made; one for a table.
    kind : ``table`` where it is not a set of runs: seed and layer mean nothing then; else ``runs``.
    joins : what each join does.
    problems : what is wrong, with counts; ``problem.stops`` where nothing is imported until the user chooses.
    missing : what still has to be said, a sentence each.
    """

    paths: tuple[Path, ...]
    mapping: Mapping
    guessed: bool
    columns: pd.DataFrame
    rows: pd.DataFrame
    layers: dict[str, tuple[int, int]]
    runs: tuple[str, ...]
    kind: str
    joins: tuple[JoinReport, ...] = ()
    problems: tuple[Problem, ...] = ()
    missing: tuple[str, ...] = ()

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
    raise NotImplementedError

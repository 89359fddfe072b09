"""From files and a mapping to the runs that they become, with everything that is wrong; nothing is written yet."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nearid_core.digest import file_digest, json_digest
from nearid_core.errors import InvalidInput
from nearid_core.exchange.derived import compiled
from nearid_core.exchange.joining import find_side_table, without_side_tables
from nearid_core.exchange.mapping import Mapping
from nearid_core.exchange.mapping_toml import mapping_to_toml
from nearid_core.exchange.problem import Problem
from nearid_core.exchange.readers import open_table, stem
from nearid_core.exchange.runs_of_files import Planned, by_files
from nearid_core.exchange.source import Source, assemble, scanned
from nearid_core.progress import Progress, ProgressCallback


@dataclass(frozen=True, eq=False)
class Plan:
    """runs : what would be made; kind : ``table`` or ``runs``; missing : what still has to be said."""

    paths: tuple[Path, ...]
    mapping: Mapping
    sources: tuple[Source, ...]
    runs: tuple[Planned, ...]
    kind: str
    problems: tuple[Problem, ...]
    missing: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.mapping.name or stem(self.paths[0])


def make_plan(paths: Sequence[Path], mapping: Mapping, on_progress: ProgressCallback) -> Plan:
    """Read every file once. Raises InvalidInput or UnsupportedFormat where one cannot be read or used at all."""
    if not paths:
        raise InvalidInput("There is no file to import; name at least one.")
    paths = without_side_tables(paths, mapping)
    labels = file_labels(paths, mapping)
    sources = [assemble(open_table(path), mapping, label) for path, label in zip(paths, labels, strict=True)]
    read = _reading(sources, on_progress)
    sources = [scanned(source, mapping, read) for source in sources]
    missing = _missing(paths, mapping)
    runs, problems = by_files(sources, mapping)
    said = [problem for source in sources for problem in source.problems]
    kind = "runs" if mapping.run or (mapping.files == "runs" and len(paths) > 1) else "table"
    once = tuple(dict.fromkeys((*said, *problems)))  # a side table of several files is wrong for each of them
    return Plan(tuple(paths), mapping, tuple(sources), tuple(runs), kind, once, tuple(missing))


def file_labels(paths: Sequence[Path], mapping: Mapping) -> list[str]:
    """What each file's name says that it is: the run, layer or batch.

    Raises InvalidInput where two would be called the same, or the pattern is not found.
    """
    labels = [stem(path) for path in paths]
    if mapping.file_pattern is not None:
        expression = compiled(mapping.file_pattern, "The file pattern")
        found = [expression.search(path.name) for path in paths]
        if None in found:
            raise InvalidInput(
                f"The file pattern {mapping.file_pattern!r} is not found in {paths[found.index(None)].name}."
            )
        labels = [match.group(1) for match in found if match]
    twice = [label for label in labels if labels.count(label) > 1]
    if twice:
        raise InvalidInput(
            f"{labels.count(twice[0])} files are called {twice[0]!r}; give a file pattern that tells them apart."
        )
    return labels


def content_key(plan: Plan) -> str:
    """Digest of the files and of what is done with them: importing the same thing again gives the same ids."""
    sides = [find_side_table(step.file, plan.paths[0].parent) for step in plan.mapping.joins]
    files = [_digest(path) for path in (*plan.paths, *sides)]
    return json_digest([files, [source.label for source in plan.sources], mapping_to_toml(plan.mapping)])


def seed_of(name: str) -> int | None:
    """A run called 3, or seed_3, has seed 3."""
    found = re.fullmatch(r"(?:.*seed[ _-]?)?(\d{1,9})", name, re.IGNORECASE)
    return int(found.group(1)) if found else None


def _digest(path: Path) -> str:
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file())
        return json_digest([[str(file.relative_to(path)), file_digest(file)] for file in files])
    return file_digest(path)


def _missing(paths: Sequence[Path], mapping: Mapping) -> list[str]:
    if len(paths) > 1 and mapping.files is None:
        return [
            f"Say what the {len(paths)} files are: runs, layers of one run, or batches of one table (files, --files)."
        ]
    return []


def _reading(sources: Sequence[Source], on_progress: ProgressCallback) -> Callable[[int], None]:
    """Turns rows of a layer into progress over all of them."""
    total = sum(source.table.n_rows * len(source.layers) for source in sources)
    began, done, last = time.monotonic(), 0, 0

    def read(rows: int) -> None:
        nonlocal done, last
        done, last = done + rows - (last if rows > last else 0), rows
        on_progress(Progress("Reading", min(done, total), max(1, total), time.monotonic() - began))

    return read

"""What the columns probably are, for a user to confirm."""

from __future__ import annotations

import re
from collections.abc import Mapping as Dict
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pandas as pd

from nearid_core.exchange.guess_joins import guess_joins, split_side_tables
from nearid_core.exchange.joining import join
from nearid_core.exchange.keys import key_text
from nearid_core.exchange.mapping import Control, Features, Files, Mapping
from nearid_core.exchange.metadata_names import (
    CONTROL_COLUMNS,
    CONTROL_VALUES,
    NAMES,
    looks_like_metadata,
    plain,
)
from nearid_core.exchange.readers import Table, open_table

_COMPARTMENTS = ("Cells_", "Cytoplasm_", "Nuclei_")  # as CellProfiler names what it measures
_MOST_KEYS = 12  # columns that are tried as parts of a sample id
_MOST_LABELS = 0.5  # distinct values a row, above which a column names samples and not classes


def guess(paths: Sequence[Path]) -> tuple[list[Path], Mapping]:
    """The files with representations, and a mapping for them with the others joined.

    Raises InvalidInput or UnsupportedFormat for a file that cannot be read.
    """
    tables = [open_table(path) for path in paths]
    main, sides = split_side_tables(tables)
    first = main[0]
    samples = first.frame([column.name for column in first.columns if _known(column.name, first)])
    joins = guess_joins(samples, sides, first)
    for step in joins:
        samples = join(samples, step, first.path.parent, {}).samples
    roles = _roles(samples)
    return [table.path for table in main], Mapping(
        files=_meaning(main),
        sample_id=_sample_id(samples),
        controls=_controls(samples),
        features=_features(first),
        joins=tuple(joins),
        **roles,
    )


def _meaning(tables: Sequence[Table]) -> Files | None:
    """Equal columns and rows are runs, equal columns alone are batches; what else there is, only the user knows."""
    if len(tables) == 1:
        return None
    columns = {(*(c.name for c in table.columns), *((m.name, m.width) for m in table.matrices)) for table in tables}
    if len(columns) > 1:
        return None
    return "runs" if len({table.n_rows for table in tables}) == 1 else "batches"


def _known(name: str, table: Table) -> bool:
    column = next(column for column in table.columns if column.name == name)
    return column.kind in ("text", "boolean") or (column.numeric and looks_like_metadata(name))


def _features(table: Table) -> Features:
    """The shortest rule that says it: a prefix where all have one, else every number that is no metadata."""
    if table.matrices:
        embedded = tuple(matrix.name for matrix in table.matrices if matrix.name.startswith("X_"))
        return Features(arrays=embedded)  # of AnnData: X itself is what the embeddings were made from
    names = [column.name for column in table.columns if column.numeric and not looks_like_metadata(column.name)]
    prefixes = tuple(prefix for prefix in _COMPARTMENTS if any(name.startswith(prefix) for name in names))
    if prefixes and all(name.startswith(prefixes) for name in names):
        return Features(prefix=prefixes)
    stems = {re.sub(r"\d+$", "", name) for name in names}
    numbered = {
        stem for stem in stems if stem and sum(re.fullmatch(re.escape(stem) + r"\d+", n) is not None for n in names) > 1
    }
    if len(numbered) == 1:
        return Features(pattern=f"^{re.escape(numbered.pop())}\\d+$")
    return Features()


def _roles(samples: pd.DataFrame) -> Dict[str, Any]:
    roles: dict[str, str | None] = {}
    for role in ("run", "batch", "label", "group", "position", "dose", "replicate"):
        fitting = [name for wanted in NAMES[role] for name in samples.columns if plain(name) == wanted]
        roles[role] = next((name for name in fitting if _can_be(role, samples[name])), None)
    if roles["run"] is not None and samples[roles["run"]].nunique() < 2:
        roles["run"] = None
    return roles


def _can_be(role: str, series: pd.Series) -> bool:
    distinct = series.nunique()
    if role in ("batch", "label", "group"):
        return 2 <= distinct <= max(2, _MOST_LABELS * len(series))
    return distinct >= 1


def _sample_id(samples: pd.DataFrame) -> tuple[str, ...]:
    """The fewest columns that tell all rows apart, those first whose names say so."""
    if samples.empty:
        return ()
    order = [
        wanted for role in ("sample_id", "batch", "group", "position", "replicate", "run") for wanted in NAMES[role]
    ]
    texts = {name: key_text(samples[name]) for name in samples.columns if samples[name].notna().all()}
    names = sorted(texts, key=lambda name: order.index(plain(name)) if plain(name) in order else len(order))
    names = [name for name in names if not (texts[name] == texts[name].iloc[0]).all()][:_MOST_KEYS]
    for size in (1, 2, 3):
        for chosen in combinations(names, size):
            if not pd.DataFrame({name: texts[name] for name in chosen}).duplicated().any():
                return chosen
    return ()


def _controls(samples: pd.DataFrame) -> tuple[Control, ...]:
    """The column that says so, else a value that is a usual control."""
    ranked = sorted(samples.columns, key=lambda name: plain(name) not in CONTROL_COLUMNS)
    for name in ranked:
        if pd.api.types.is_numeric_dtype(samples[name]):
            continue
        values = {str(value).lower(): str(value) for value in samples[name].dropna().unique()}
        found = next((values[usual] for usual in CONTROL_VALUES if usual in values), None)
        if found is not None:
            return (Control(name, found),)
    return ()

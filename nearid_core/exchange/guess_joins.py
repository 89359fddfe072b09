"""Which of several files are side tables, and by which columns they fit."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from nearid_core.exchange.joining import join
from nearid_core.exchange.keys import key_text
from nearid_core.exchange.mapping import Join
from nearid_core.exchange.metadata_names import looks_like_metadata
from nearid_core.exchange.readers import Table

_FEWEST_FEATURES = 3  # columns of numbers below which a file beside a wider one is a side table
_FOUND = 0.9  # part of a column's distinct values that a key column of the side table has to hold
_MOST_DISTINCT = 100_000


def split_side_tables(tables: Sequence[Table]) -> tuple[list[Table], list[Table]]:
    """Those with representations, and the rest, by how many numbers a row has."""
    widths = [_width(table) for table in tables]
    widest = max(widths)
    main = [table for table, width in zip(tables, widths, strict=True) if width > _FEWEST_FEATURES or width == widest]
    return main, [table for table in tables if table not in main]


def guess_joins(samples: pd.DataFrame, sides: Sequence[Table], main: Table) -> list[Join]:
    """Joins in an order in which each finds its keys; a file without any is matched by row where the numbers agree."""
    joins, waiting = [], list(sides)
    while waiting:
        guesses = [(table, _keys(samples, table)) for table in waiting]
        table, pairs = max(guesses, key=lambda guessed: len(guessed[1]))
        if not pairs and (table := _of_equal_length(waiting, main)) is None:  # type: ignore[assignment]
            break
        file = table.path.name if table.path.parent == main.path.parent else str(table.path)
        step = Join(file, tuple(one for one, _ in pairs), tuple(other for _, other in pairs))
        samples = join(samples, step, table.path.parent, {}).samples
        joins.append(step)
        waiting.remove(table)
    return joins


def _width(table: Table) -> int:
    numbers = sum(column.numeric and not looks_like_metadata(column.name) for column in table.columns)
    return numbers + sum(matrix.width for matrix in table.matrices)


def _of_equal_length(tables: Sequence[Table], main: Table) -> Table | None:
    return next((table for table in tables if table.n_rows == main.n_rows), None)


def _keys(samples: pd.DataFrame, table: Table) -> list[tuple[str, str]]:
    """Pairs of columns, of the samples and of the file, whose values fit."""
    side = table.frame([column.name for column in table.columns if column.kind in ("text", "integer", "number")])
    values = {str(name): set(key_text(side[name]).dropna().unique()) for name in side}
    pairs, taken = [], set()
    for name in samples.columns:
        own = set(key_text(samples[name]).dropna().unique())
        if not 2 <= len(own) <= _MOST_DISTINCT:
            continue
        fits = {other: len(own & there) / len(own) for other, there in values.items() if other not in taken}
        best = max(fits, key=lambda other: (fits[other], -len(values[other])), default=None)
        if best is not None and fits[best] >= _FOUND and not _is_counting(own):
            pairs.append((str(name), best))
            taken.add(best)
    return pairs


def _is_counting(values: set[str]) -> bool:
    """Small whole numbers are in every column of numbers; that they fit says nothing."""
    return all(value.isdigit() and int(value) < 1000 for value in values)

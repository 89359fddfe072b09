"""Which columns of a file are its representation."""

from __future__ import annotations

import re
from collections.abc import Collection
from collections.abc import Mapping as Dict

import numpy as np
import pandas as pd

from nearid_core.errors import InvalidInput
from nearid_core.exchange.layer import FileLayer
from nearid_core.exchange.mapping import Features, Mapping
from nearid_core.exchange.metadata_names import looks_like_metadata
from nearid_core.exchange.problem import Problem, action_for
from nearid_core.exchange.readers import Column, Matrix, Table
from nearid_core.registry import unknown

_FLOATS = ("float16", "float32", "float64")


def choose_layers(table: Table, mapping: Mapping, used: Collection[str]) -> tuple[dict[str, FileLayer], list[Problem]]:
    """The layers of a file, and columns that should be features but are not numbers.

    used : columns that something else is done with: roles, keys, sources.

    Raises InvalidInput where the rules leave nothing, or name what is not there.
    """
    rules = mapping.features
    if table.matrices and not _has_column_rule(rules):
        return _matrix_layers(table, mapping), []
    chosen = _named(table, rules.columns) if rules.columns else _by_rules(table, rules, used)
    problems = [] if rules.columns else _mixed(table, rules, used, mapping.choices)
    if not chosen:
        raise InvalidInput(_nothing(table, rules, problems))
    layer = FileLayer(table, None, tuple(chosen), np.arange(len(chosen)))
    return {mapping.layer: layer}, problems


def _has_column_rule(rules: Features) -> bool:
    return bool(rules.columns or rules.prefix or rules.pattern or rules.dtype)


def _matrix_layers(table: Table, mapping: Mapping) -> dict[str, FileLayer]:
    there = {matrix.name: matrix for matrix in table.matrices}
    for name in mapping.features.arrays:
        if name not in there:
            raise InvalidInput(unknown(f"array of {table.path.name}", name, there))
    wanted = list(mapping.features.arrays) or list(there)
    names = [mapping.layer] if len(wanted) == 1 and not mapping.features.arrays else wanted
    return {name: _of_matrix(table, there[key]) for name, key in zip(names, wanted, strict=True)}


def _of_matrix(table: Table, matrix: Matrix) -> FileLayer:
    names = matrix.features or tuple(str(j) for j in range(matrix.width))
    return FileLayer(table, matrix.name, names, np.arange(matrix.width))


def _named(table: Table, columns: tuple[str, ...]) -> list[str]:
    there = {column.name: column for column in table.columns}
    for name in columns:
        if name not in there:
            raise InvalidInput(unknown(f"column of {table.path.name}", name, there))
        if not there[name].numeric:
            raise InvalidInput(f"The column {name} of {table.path.name} holds {there[name].kind}; expected numbers.")
    return list(columns)


def _by_rules(table: Table, rules: Features, used: Collection[str]) -> list[str]:
    return [column.name for column in table.columns if column.numeric and _passes(column, rules, used)]


def _passes(column: Column, rules: Features, used: Collection[str]) -> bool:
    name = column.name
    if name in used or name in rules.exclude or name.startswith(rules.exclude_prefix):
        return False
    if not _has_column_rule(rules):
        return not looks_like_metadata(name)
    if rules.prefix and not name.startswith(rules.prefix):
        return False
    if rules.pattern and not _search(rules.pattern, name):
        return False
    return not rules.dtype or column.dtype == rules.dtype or (rules.dtype == "float" and column.dtype in _FLOATS)


def _search(pattern: str, name: str) -> bool:
    try:
        return re.search(pattern, name) is not None
    except re.error as error:
        raise InvalidInput(f"The features: {pattern!r} is not a regular expression ({error}).") from None


def _mixed(table: Table, rules: Features, used: Collection[str], choices: Dict[str, str]) -> list[Problem]:
    """Text where numbers belong: most values of the column are numbers, and some are not."""
    texts = [column.name for column in table.columns if column.kind == "text" and _passes(column, rules, used)]
    problems = []
    for name in texts:
        values = table.frame([name])[name].dropna()
        numbers = pd.to_numeric(values, errors="coerce")
        wrong = values[numbers.isna()]
        if len(wrong) and 2 * len(wrong) < len(values):
            message = (
                f"Column {name!r} of {table.path.name} holds numbers and {len(wrong):,} other values, the first being "
                f"{str(wrong.iloc[0])[:40]!r} in row {int(wrong.index[0]) + 1}."
            )
            action = action_for("mixed_types", choices)
            problems.append(Problem("mixed_types", message, len(wrong), table.path.name, (name,), action))
    return problems


def _nothing(table: Table, rules: Features, problems: list[Problem]) -> str:
    if problems:
        return problems[0].message
    numeric = [column.name for column in table.columns if column.numeric]
    said = {name: value for name, value in vars(rules).items() if value and name != "exclude_prefix"}
    by = f" by {', '.join(f'{name} {value!r}' for name, value in said.items())}" if said else ""
    found = f"its columns of numbers are {', '.join(numeric[:6])}" if numeric else "it has no column of numbers"
    return f"{table.path.name} has no features{by}: {found}{', ...' if len(numeric) > 6 else ''}."

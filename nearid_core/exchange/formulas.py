"""CSV cells that a spreadsheet would run.

A spreadsheet takes a cell that begins with =, +, - or @ for a formula, also one that came with somebody's metadata, and
a formula can send the sheet elsewhere. Such a text gets an apostrophe in front, the spreadsheet's own sign for text
(OWASP, CSV injection). Numbers stay as they are, also those that stand in a column of text.
"""

from __future__ import annotations

import re

import pandas as pd

LINE_END = "\r\n"  # as RFC 4180 has it. With "\n" alone, pandas leaves a "\r" in a text unquoted, which starts a row

_RUNS = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?inf", re.ASCII)


def as_text(cell: object) -> object:
    """A cell that a spreadsheet shows and does not run; what is no text is returned as it is."""
    if isinstance(cell, str) and _RUNS.match(cell) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


def without_formulas(table: pd.DataFrame) -> pd.DataFrame:
    """The table with every text cell and column name as `as_text` has it."""
    safe = table.rename(columns=as_text)
    for position, kind in enumerate(table.dtypes):
        if not (pd.api.types.is_numeric_dtype(kind) or pd.api.types.is_datetime64_any_dtype(kind)):
            cells = safe.iloc[:, position].astype(object).map(as_text, na_action="ignore")
            safe.isetitem(position, cells.array)
    return safe

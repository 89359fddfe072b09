"""A result's table as a file."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from nearid_core.errors import InvalidInput
from nearid_core.exchange.formulas import LINE_END, without_formulas
from nearid_core.registry import unknown
from nearid_core.runs.atomic import whole_file

FORMATS = (".csv", ".parquet")


def export_table(table: pd.DataFrame, path: str | Path, *, overwrite: bool = False) -> Path:
    """Write a table as CSV or parquet, as the name's extension says; the file appears whole or not at all.

    In a CSV a text that a spreadsheet would run as a formula has an apostrophe in front; parquet holds every cell as it
    is.

    Raises InvalidInput for another extension, or a file that exists and may not be overwritten.
    """
    file = Path(path)
    kind = file.suffix.lower()
    if kind not in FORMATS:
        raise InvalidInput(unknown("table format", file.suffix or file.name, FORMATS))
    with whole_file(file, overwrite=overwrite) as beside:
        if kind == ".csv":
            without_formulas(table).to_csv(beside, index=False, lineterminator=LINE_END)
        else:
            table.to_parquet(beside, index=False)
    return file

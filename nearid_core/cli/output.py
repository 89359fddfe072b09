"""Results as text, and as files that other programs read."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nearid_core.errors import InvalidInput
from nearid_core.registry import unknown
from nearid_core.runs.atomic import whole_file

if TYPE_CHECKING:
    import pandas as pd

FORMATS = (".csv", ".parquet", ".html")


def check_output(path: str | None) -> Path | None:
    """Where the table goes, looked at before any work is spent on it."""
    if path is None:
        return None
    file = Path(path)
    if file.suffix.lower() not in FORMATS:
        raise InvalidInput(unknown("table format", file.suffix or path, FORMATS))
    if not file.absolute().parent.is_dir():
        raise InvalidInput(f"{file} cannot be written: there is no folder {file.absolute().parent}.")
    return file


def write_table(table: pd.DataFrame, file: Path, heading: Sequence[str] = ()) -> None:
    """Write `table` in the format that the file's name asks for; `heading` are sentences for the top of a page.

    A file of that name is replaced: the command that made it is run again with other settings.
    """
    from nearid_core.exchange import export_table

    if file.suffix.lower() != ".html":
        export_table(table, file, overwrite=True)
        return
    with whole_file(file, overwrite=True) as beside:
        beside.write_text(_page(table, heading), encoding="utf-8")


def _page(table: pd.DataFrame, heading: Sequence[str]) -> str:
    sentences = "".join(f"<p>{html.escape(sentence)}</p>" for sentence in heading)
    style = "body{font-family:sans-serif;margin:2em} table{border-collapse:collapse} td,th{padding:.2em .6em}"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>nearid</title><style>{style}</style>'
        f"{sentences}{table.to_html(index=False, border=0, na_rep='', float_format='{:.4g}'.format)}</html>"
    )

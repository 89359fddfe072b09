"""Comma- and tab-separated text, gzipped or not, in blocks."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from nearid_core.errors import UnsupportedFormat
from nearid_core.exchange.readers.arrow import ArrowTable
from nearid_core.exchange.readers.bounded_gzip import BoundedGzip
from nearid_core.exchange.readers.delimited_header import check_header, first_line
from nearid_core.exchange.readers.limits import check_names
from nearid_core.exchange.readers.reader import READERS, Reader
from nearid_core.exchange.readers.text_blocks import text_blocks

_MISSING = ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "#N/A"]


class DelimitedTable(ArrowTable):
    """Types are found in the first block. A file of one block is kept, since reading it again would parse it again."""

    def __init__(self, path: Path, delimiter: str) -> None:
        self.path = path
        self._delimiter = delimiter
        self._rows: int | None = None
        self._whole: pa.Table | None = None
        with self._bytes() as file:
            self._header = check_header(path, first_line(path, file), delimiter)
        check_names(path, self._header)
        schema = self._find_types(self._header)
        super().__init__(path, schema, {})

    @property
    def n_rows(self) -> int:
        if self._rows is None:
            self._rows = sum(batch.num_rows for batch in self._stream([self.columns[0].name]))
        return self._rows

    def batches(self, names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        if self._whole is not None:
            yield from self._whole.select(list(names)).to_batches()
        else:
            yield from self._stream(names)

    def frame(self, names: Sequence[str]) -> pd.DataFrame:
        frame = super().frame(names)
        self._rows = len(frame)
        return frame

    def _find_types(self, header: list[str]) -> pa.Schema:
        batches = self._stream(header, found={})
        first = next(batches, None)
        if first is None or first.num_rows == 0:
            raise UnsupportedFormat(f"{self.path.name} has a header of {len(header)} columns and no rows.")
        more = next(batches, None) is not None
        types = {field.name: field.type for field in first.schema}
        types |= dict.fromkeys(self._codes(first.schema), pa.string())
        if more:  # a later block may hold a fraction, or a first number
            types = {name: _wide(dtype) for name, dtype in types.items()}
        self._types = types
        if not more:
            self._whole = pa.Table.from_batches(list(self._stream(header)))
            self._rows = self._whole.num_rows
        return pa.schema(list(types.items()))

    def _codes(self, schema: pa.Schema) -> list[str]:
        """Columns of digits with leading zeros: names such as 007, which as numbers would be other names."""
        whole = [field.name for field in schema if pa.types.is_integer(field.type)]
        if not whole:
            return []
        first = next(self._stream(whole, found=dict.fromkeys(whole, pa.string())))
        return [name for name in whole if pc.any(pc.match_substring_regex(first.column(name), "^0[0-9]")).as_py()]

    def _stream(self, names: Sequence[str], found: dict[str, pa.DataType] | None = None) -> Iterator[pa.RecordBatch]:
        types = self._types if found is None else found
        convert = pyarrow.csv.ConvertOptions(
            include_columns=list(names),
            column_types={name: types[name] for name in names if name in types},
            null_values=_MISSING,
            strings_can_be_null=False,
        )
        parse = pyarrow.csv.ParseOptions(delimiter=self._delimiter, newlines_in_values=True)
        rows = 0
        with self._bytes() as file:
            for number, block in enumerate(text_blocks(self.path, file)):
                # One thread: an error then names the line, and a shared machine keeps its cores.
                read = pyarrow.csv.ReadOptions(
                    block_size=len(block) + 1, use_threads=False, column_names=self._header, skip_rows=number == 0
                )
                with self._one_sentence(rows + (number > 0)):
                    table = pyarrow.csv.read_csv(pa.BufferReader(block), read, parse, convert)
                rows += table.num_rows
                yield from table.to_batches()

    def _bytes(self) -> BinaryIO:
        if self.path.suffix.lower() == ".gz":
            return io.BufferedReader(BoundedGzip(self.path), 1 << 20)
        return self.path.open("rb")

    @contextmanager
    def _one_sentence(self, before: int) -> Iterator[None]:
        """before : lines of the file before the block that is parsed."""
        try:
            yield
        except (pa.ArrowException, UnicodeDecodeError) as error:
            raise UnsupportedFormat(_sentence(self.path.name, str(error), before)) from None


def _wide(dtype: pa.DataType) -> pa.DataType:
    return pa.float64() if pa.types.is_integer(dtype) or pa.types.is_null(dtype) else dtype


def _sentence(name: str, error: str, before: int) -> str:
    """What pyarrow says of a line, in our words."""
    uneven = re.search(r"Row #(\d+): Expected (\d+) columns, got (\d+)", error)
    if uneven:
        row, expected, found = uneven.groups()
        return (
            f"{name}: line {before + int(row)} has {found} fields where the header has {expected}; the file is cut off "
            f"there, a text with the delimiter in it is not in quotes, or a quote is not closed."
        )
    value = re.search(r"In CSV column #(\d+): .*conversion error to (\w+): invalid value '(.*)'", error, re.DOTALL)
    if value:
        position, _, found = value.groups()
        return (
            f"{name}: column {int(position) + 1} holds numbers and then {found[:40]!r}; expected one type in a column."
        )
    if "UTF8" in error or "utf-8" in error:
        return f"{name} is not UTF-8 text throughout; save it as UTF-8."
    return f"{name} cannot be read as delimited text ({error.splitlines()[0][:160]})."


READERS.register(
    Reader(
        "csv",
        "Comma-separated text, UTF-8, with a header.",
        (".csv", ".csv.gz"),
        ("text", "gzip"),
        partial(DelimitedTable, delimiter=","),
    )
)
READERS.register(
    Reader(
        "tsv",
        "Tab-separated text, UTF-8, with a header.",
        (".tsv", ".tsv.gz"),
        ("text", "gzip"),
        partial(DelimitedTable, delimiter="\t"),
    )
)

"""Tables that come as Arrow record batches: delimited text and parquet."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from nearid_core.errors import UnsupportedFormat
from nearid_core.exchange.readers.table import Column, Kind, Matrix, Table


class ArrowTable(Table):
    """schema : of all columns; a list of numbers in a column is a matrix."""

    def __init__(self, path: Path, schema: pa.Schema, widths: dict[str, int]) -> None:
        columns = [Column(field.name, kind_of(field.type), str(field.type)) for field in schema]
        matrices = [
            Matrix(name, width, np.dtype(schema.field(name).type.value_type.to_pandas_dtype()))
            for name, width in widths.items()
        ]
        super().__init__(path, [_as_numpy(column) for column in columns if column.name not in widths], matrices)

    @abstractmethod
    def batches(self, names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Record batches of these columns."""

    def frame(self, names: Sequence[str]) -> pd.DataFrame:
        if not names:
            return pd.DataFrame(index=pd.RangeIndex(self.n_rows))
        table = pa.Table.from_batches(list(self.batches(names)))
        return _missing_where_empty(_without_categories(table).to_pandas()[list(names)])

    def blocks(self, names: Sequence[str]) -> Iterator[np.ndarray]:
        by_name = {column.name: column for column in self.columns}
        dtype = np.result_type(*(_block_dtype(by_name[name]) for name in names))
        for batch in self.batches(names):
            block = np.empty((batch.num_rows, len(names)), dtype)
            for j, name in enumerate(names):
                block[:, j] = batch.column(name).to_numpy(zero_copy_only=False)
            yield block

    def matrix_blocks(self, name: str) -> Iterator[np.ndarray]:
        width = next(matrix.width for matrix in self.matrices if matrix.name == name)
        row = 0
        for batch in self.batches([name]):
            lists = batch.column(name)
            lengths = np.asarray(lists.value_lengths().fill_null(-1))
            if (lengths != width).any():
                wrong = int(np.flatnonzero(lengths != width)[0])
                found = "nothing" if lengths[wrong] < 0 else f"{lengths[wrong]} numbers"
                raise UnsupportedFormat(
                    f"{self.path.name}: row {row + wrong + 1} of column {name!r} holds {found}, the first row {width}; "
                    f"expected equally many in every row."
                )
            row += batch.num_rows
            yield lists.flatten().to_numpy(zero_copy_only=False).reshape(-1, width)


def kind_of(dtype: pa.DataType) -> Kind:
    if pa.types.is_dictionary(dtype):
        return kind_of(dtype.value_type)
    if pa.types.is_integer(dtype):
        return "integer"
    if pa.types.is_floating(dtype) or pa.types.is_decimal(dtype) or pa.types.is_null(dtype):
        return "number"
    if pa.types.is_boolean(dtype):
        return "boolean"
    if pa.types.is_string(dtype) or pa.types.is_large_string(dtype) or pa.types.is_string_view(dtype):
        return "text"
    return "time" if pa.types.is_temporal(dtype) else "nested"


def _as_numpy(column: Column) -> Column:
    names = {"float": "float32", "double": "float64", "halffloat": "float16", "null": "float64"}
    return Column(column.name, column.kind, names.get(column.dtype, column.dtype))


def _block_dtype(column: Column) -> np.dtype:
    """Whole numbers may be missing, and then only a float can say so."""
    return np.dtype(column.dtype) if column.dtype in ("float16", "float32") else np.dtype(np.float64)


def _without_categories(table: pa.Table) -> pa.Table:
    """Repeated text is stored once in a dictionary; as a pandas category it would not join with text."""
    for index, field in enumerate(table.schema):
        if pa.types.is_dictionary(field.type):
            table = table.set_column(index, field.name, table.column(index).cast(field.type.value_type))
    return table


def _missing_where_empty(frame: pd.DataFrame) -> pd.DataFrame:
    for name in frame.columns:
        if isinstance(frame[name].dtype, pd.StringDtype) or frame[name].dtype == object:
            frame[name] = frame[name].where(frame[name] != "")
    return frame

"""Parquet, by row group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from nearid_core.errors import UnsupportedFormat
from nearid_core.exchange.readers.arrow import ArrowTable, kind_of
from nearid_core.exchange.readers.limits import check_expansion
from nearid_core.exchange.readers.reader import READERS, Reader

_ROWS = 8192  # in a batch
_BUFFER = 1 << 16  # bytes of each column


class ParquetTable(ArrowTable):
    def __init__(self, path: Path) -> None:
        with _one_sentence(path):
            # Neither mapped nor buffered ahead: both would hold whole row groups of the file in memory.
            self._file = pq.ParquetFile(path, memory_map=False, pre_buffer=False, buffer_size=_BUFFER)
            schema = self._file.schema_arrow
            self._rows = self._file.metadata.num_rows
            numbers = sum(kind_of(field.type) in ("number", "integer") for field in schema)
            check_expansion(path, self._rows * numbers * 4, path.stat().st_size)
            if self._rows < 0:
                raise UnsupportedFormat(f"{path.name} is damaged: it says that it has {self._rows} rows.")
            widths = {field.name: self._width(field) for field in schema if _is_list(field.type)}
        super().__init__(path, schema, {name: width for name, width in widths.items() if width})

    @property
    def n_rows(self) -> int:
        return self._rows

    def batches(self, names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        with _one_sentence(self.path):
            yield from self._file.iter_batches(_ROWS, columns=list(names))

    def _width(self, field: pa.Field) -> int:
        """How many numbers the first row's list holds."""
        if pa.types.is_fixed_size_list(field.type):
            return field.type.list_size
        first = next(self._file.iter_batches(1, columns=[field.name]), None)
        return 0 if first is None or first.num_rows == 0 else first.column(0).value_lengths()[0].as_py() or 0


def _is_list(dtype: pa.DataType) -> bool:
    lists = pa.types.is_list(dtype) or pa.types.is_large_list(dtype) or pa.types.is_fixed_size_list(dtype)
    return lists and pa.types.is_floating(dtype.value_type)


@contextmanager
def _one_sentence(path: Path) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).splitlines()[0][:200]
        raise UnsupportedFormat(
            f"{path.name} is cut off or damaged, and cannot be read as parquet ({reason}); copy it again."
        ) from None


READERS.register(Reader("parquet", "Columns, by row group.", (".parquet", ".pq"), ("parquet",), ParquetTable))

"""Whether a parquet file from elsewhere is a table of the size it should have, found out without loading it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nearid_core.errors import CorruptRun

LARGEST = 1 << 30  # bytes in memory
MOST_COLUMNS = 10_000
_ROWS = 4096  # read at a time

# snappy cannot unpack to more than about 20 times its size, and is what a run is written with; one page of another
# codec can ask for gigabytes.
_CODECS = {"UNCOMPRESSED", "SNAPPY"}
_ENCODINGS = {"PLAIN", "RLE", "RLE_DICTIONARY", "PLAIN_DICTIONARY", "BIT_PACKED"}


def check_table(path: Path, *, exactly: int | None = None, at_most: int | None = None) -> None:
    """Read a parquet file once, in blocks, with texts kept as codes.

    exactly, at_most : rows it has to have.

    Raises CorruptRun for a file that is no table of plain columns, or larger than it may be.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            _check_layout(path.name, file, exactly, at_most)
            texts = [field.name for field in file.schema_arrow if _is_text(field.type)]
        total = 0
        with pq.ParquetFile(path, read_dictionary=texts) as file:
            for batch in file.iter_batches(_ROWS):
                total += sum(_loaded_bytes(column) for column in batch.columns)
                if total > LARGEST:
                    raise CorruptRun(f"{path.name} takes more than {LARGEST:,} bytes in memory; expected a table.")
    except (pa.ArrowException, OSError, ValueError, KeyError, NotImplementedError, OverflowError) as error:
        if isinstance(error, CorruptRun):
            raise
        raise CorruptRun(f"{path.name} is no parquet file ({ascii(str(error))[1:-1][:120]}).") from None


def _check_layout(name: str, file: Any, exactly: int | None, at_most: int | None) -> None:
    """What the file says of itself: rows, columns, types, and how its pages are packed."""
    meta, schema = file.metadata, file.schema_arrow
    if exactly is not None and meta.num_rows != exactly:
        raise CorruptRun(f"{name} has {meta.num_rows:,} rows and the layers have {exactly:,}.")
    if at_most is not None and meta.num_rows > at_most:
        raise CorruptRun(f"{name} has {meta.num_rows:,} rows; expected up to {at_most:,}.")
    if len(schema) > MOST_COLUMNS or len(set(schema.names)) < len(schema):
        raise CorruptRun(f"{name} has {len(schema):,} columns, or two of one name; expected up to {MOST_COLUMNS:,}.")
    for field in schema:
        if not _is_plain(field.type):
            raise CorruptRun(
                f"{name}: column {field.name[:80]!a} has type {str(field.type)[:80]}; expected plain ones."
            )
    for group in range(meta.num_row_groups):
        for column in range(meta.num_columns):
            chunk = meta.row_group(group).column(column)
            if chunk.compression not in _CODECS or not set(chunk.encodings) <= _ENCODINGS:
                packing = ", ".join((chunk.compression, *chunk.encodings))
                raise CorruptRun(f"{name} is packed as {packing}; expected what pandas writes by default.")


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)
    return any(is_kind(kind) for is_kind in texts)


def _is_plain(kind: Any) -> bool:
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return _is_plain(kind.value_type)
    return pa.types.is_null(kind) or _is_text(kind) or (pa.types.is_primitive(kind))


def _loaded_bytes(column: Any) -> int:
    """What a column takes once each row has its own text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_dictionary(column.type) or not _is_text(column.type.value_type):
        return column.nbytes
    lengths = pc.binary_length(column.dictionary).cast(pa.int64())
    return (pc.sum(lengths.take(column.indices)).as_py() or 0) + 8 * len(column)

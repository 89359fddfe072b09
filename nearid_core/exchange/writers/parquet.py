"""Parquet: the metadata as it came, then one column a feature; settings under ``nearid`` in the file's own metadata."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from nearid_core.exchange.embedding import Embedding
from nearid_core.exchange.writers.blocks import row_blocks
from nearid_core.options import canonical_json


def write_parquet(embedding: Embedding, path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    values = embedding.values
    known = pa.Table.from_pandas(embedding.samples, preserve_index=False)
    kind = pa.from_numpy_dtype(values.dtype)
    schema = pa.schema([*known.schema, *(pa.field(name, kind) for name in embedding.names)])
    told = {**(known.schema.metadata or {}), b"nearid": canonical_json(embedding.settings).encode()}
    schema = schema.with_metadata(told)
    metadata = known.schema.names  # a dictionary of numbers that never repeat would make the file half as large again
    with pq.ParquetWriter(path, schema, use_dictionary=metadata) as writer:
        for rows in row_blocks(values):
            columns = [pa.array(column) for column in np.ascontiguousarray(values[rows].T)]
            part = known.slice(rows.start, rows.stop - rows.start)
            writer.write_table(pa.Table.from_arrays([*part.columns, *columns], schema=schema))

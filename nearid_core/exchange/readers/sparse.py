"""Sparse matrices as anndata stores them, made dense block by block."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from nearid_core.errors import UnsupportedFormat


def dense_blocks(path: Path, group: Any, shape: tuple[int, int], rows: int) -> Iterator[np.ndarray]:
    """Blocks of rows of a ``csr_matrix`` or ``csc_matrix`` group.

    anndata's own slicing breaks with the releases of scipy, and the layout is three arrays.

    Raises UnsupportedFormat where the positions do not fit the shape.
    """
    if group.attrs["encoding-type"] == "csc_matrix":  # column by column: no row is whole before all are read
        from scipy.sparse import csc_matrix

        whole = csc_matrix((group["data"][:], group["indices"][:], group["indptr"][:]), shape=shape).tocsr()
        yield from (whole[start : start + rows].toarray() for start in range(0, shape[0], rows))
        return
    ends = np.asarray(group["indptr"][:])
    if len(ends) != shape[0] + 1 or ends[0] != 0 or (np.diff(ends) < 0).any() or ends[-1] > group["data"].shape[0]:
        raise UnsupportedFormat(f"{path.name} is damaged: its sparse matrix does not have {shape[0]} rows.")
    for start in range(0, shape[0], rows):
        stop = min(start + rows, shape[0])
        columns = np.asarray(group["indices"][ends[start] : ends[stop]])
        if len(columns) and not 0 <= columns.min() <= columns.max() < shape[1]:
            raise UnsupportedFormat(f"{path.name} is damaged: its sparse matrix does not have {shape[1]} columns.")
        block = np.zeros((stop - start, shape[1]), group["data"].dtype)
        block[np.repeat(np.arange(stop - start), np.diff(ends[start : stop + 1])), columns] = group["data"][
            ends[start] : ends[stop]
        ]
        yield block

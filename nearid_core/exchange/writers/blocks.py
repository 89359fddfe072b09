"""Rows in blocks, so that a memory-mapped array is never loaded whole."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

_BLOCK = 1 << 25  # bytes
_MOST_ROWS = 1 << 16


def row_blocks(values: np.ndarray) -> Iterator[slice]:
    """Slices over the rows of (N, k) values, of about 32 MB each."""
    rows = int(np.clip(_BLOCK // max(1, values[:1].nbytes), 1, _MOST_ROWS))
    for start in range(0, len(values), rows):
        yield slice(start, min(start + rows, len(values)))

"""Content digests: the same content has the same digest on every machine."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from nearid_core.options import canonical_json

_BLOCK = 1 << 22  # bytes hashed at a time: a memory-mapped array is never loaded whole


def array_digest(values: np.ndarray) -> str:
    """Digest of an array's dtype, shape and numbers, read in blocks of rows."""
    hasher = hashlib.blake2b(digest_size=16)
    little_endian = values.dtype.newbyteorder("<")
    hasher.update(f"{little_endian.str}{values.shape}".encode())
    rows = max(1, _BLOCK // max(1, values[:1].nbytes))
    for start in range(0, len(values), rows):
        block = np.ascontiguousarray(values[start : start + rows], dtype=little_endian)
        hasher.update(block.view(np.uint8).data)
    return hasher.hexdigest()


def file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def text_digest(texts: Iterable[str]) -> str:
    """Digest of a sequence of strings; order counts."""
    hasher = hashlib.blake2b(digest_size=16)
    for text in texts:
        raw = text.encode()
        hasher.update(len(raw).to_bytes(8, "little"))
        hasher.update(raw)
    return hasher.hexdigest()


def json_digest(value: Any) -> str:
    return hashlib.blake2b(canonical_json(value).encode(), digest_size=16).hexdigest()

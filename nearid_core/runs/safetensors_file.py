"""Writing safetensors array by array, in blocks: an array larger than memory goes from its memory map to the file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from nearid_core.errors import InvalidInput

_NAMES = {"f2": "F16", "f4": "F32", "f8": "F64", "i1": "I8", "i2": "I16", "i4": "I32", "i8": "I64", "u1": "U8"}
_BLOCK = 1 << 24  # bytes
_ALIGNMENT = 8  # of the numbers, as the format asks


def write_safetensors(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Write named arrays. The safetensors package would hold each once more as bytes.

    Raises InvalidInput for a type that the format, or a run, does not have.
    """
    header, end = {}, 0
    for name, values in arrays.items():
        code = values.dtype.str[1:]
        if code not in _NAMES:
            raise InvalidInput(f"The array {name} has type {values.dtype}; a run stores {', '.join(_NAMES)}.")
        header[name] = {"dtype": _NAMES[code], "shape": list(values.shape), "data_offsets": [end, end + values.nbytes]}
        end += values.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _ALIGNMENT)
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little"))
        file.write(text)
        for values in arrays.values():
            rows = max(1, _BLOCK // max(1, values[:1].nbytes)) if values.ndim else 1
            for block in [values[i : i + rows] for i in range(0, len(values), rows)] if values.ndim else [values]:
                file.write(np.ascontiguousarray(block, values.dtype.newbyteorder("<")).data)

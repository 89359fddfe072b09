"""Tensors of a safetensors file, memory-mapped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from nearid_core.errors import CorruptRun, UnsupportedFormat
from nearid_core.exchange.readers.arrays import ArrayTable, Stored
from nearid_core.exchange.readers.reader import READERS, Reader
from nearid_core.runs.run import map_safetensors


class SafetensorsTable(ArrayTable):
    def __init__(self, path: Path) -> None:
        try:
            self._tensors = map_safetensors(path)
        except CorruptRun as error:
            raise UnsupportedFormat(str(error).replace(str(path), path.name)) from None
        deep = [name for name, tensor in self._tensors.items() if tensor.ndim not in (1, 2)]
        if deep:
            raise UnsupportedFormat(
                f"Tensor {deep[0]!r} of {path.name} has shape {self._tensors[deep[0]].shape}; expected a matrix with "
                f"one row a sample: are these the weights of a model instead of its embeddings?"
            )
        super().__init__(path, {name: Stored(tensor.shape, tensor.dtype) for name, tensor in self._tensors.items()})

    def parts(self, name: str, rows: int) -> Iterator[np.ndarray]:
        tensor = self._tensors[name]
        for start in range(0, len(tensor), rows):
            yield tensor[start : start + rows]


READERS.register(
    Reader("safetensors", "Tensors, a row a sample in each.", (".safetensors",), ("safetensors",), SafetensorsTable)
)

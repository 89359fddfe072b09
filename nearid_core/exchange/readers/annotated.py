"""AnnData groups, in HDF5 or zarr: obs is the samples, X and obsm are matrices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nearid_core.errors import UnsupportedFormat
from nearid_core.exchange.readers.limits import check_expansion
from nearid_core.exchange.readers.sparse import dense_blocks
from nearid_core.exchange.readers.table import Column, Kind, Matrix, Table, rows_a_block


class AnnotatedTable(Table):
    """root : an open group; stored : bytes that an array has on disk.

    A sparse matrix is made dense block by block.
    """

    def __init__(self, path: Path, root: Any, stored: Callable[[Any], int]) -> None:
        from anndata.io import read_elem

        self._root = root
        self._obs = _samples(read_elem(root["obs"]))
        self._sources = {name: root[f"obsm/{name}"] for name in root.get("obsm", ())}
        if "X" in root:
            self._sources["X"] = root["X"]
        self._sources = {name: found for name, found in self._sources.items() if _is_matrix(found)}
        features = tuple(str(name) for name in _samples(read_elem(root["var"])).iloc[:, 0]) if "var" in root else ()
        matrices = []
        for name, source in self._sources.items():
            shape, dtype = _shape(source), _dtype(source)
            self._check(path, name, shape, dtype, source, stored)
            matrices.append(Matrix(name, shape[1], dtype, features if name == "X" else ()))
        columns = [Column(str(name), _kind(dtype), str(dtype)) for name, dtype in self._obs.dtypes.items()]
        super().__init__(path, columns, matrices)

    @property
    def n_rows(self) -> int:
        return len(self._obs)

    def frame(self, names: Sequence[str]) -> pd.DataFrame:
        return self._obs[list(names)].copy()

    def blocks(self, names: Sequence[str]) -> Iterator[np.ndarray]:
        yield self._obs[list(names)].to_numpy(float)

    def matrix_blocks(self, name: str) -> Iterator[np.ndarray]:
        source = self._sources[name]
        shape = _shape(source)
        rows = rows_a_block(shape[1], _dtype(source))
        try:
            if _is_sparse(source):
                yield from dense_blocks(self.path, source, (shape[0], shape[1]), rows)
                return
            for start in range(0, shape[0], rows):
                yield np.asarray(source[start : start + rows])
        except (OSError, ValueError, KeyError, RuntimeError) as error:  # a block that does not unpack
            raise UnsupportedFormat(f"{self.path.name} is damaged: {name} cannot be read ({error}).") from None

    def _check(
        self, path: Path, name: str, shape: Sequence[int], dtype: np.dtype, source: Any, stored: Callable[[Any], int]
    ) -> None:
        if len(shape) != 2 or shape[0] != len(self._obs) or dtype.kind not in "fiub":
            raise UnsupportedFormat(
                f"{path.name}: {name} has shape {tuple(shape)} and type {dtype}; expected a matrix of numbers with "
                f"{len(self._obs)} rows, as obs has."
            )
        parts = [source[part] for part in ("data", "indices", "indptr")] if _is_sparse(source) else [source]
        check_expansion(path, shape[0] * shape[1] * dtype.itemsize, sum(stored(part) for part in parts))


def _samples(obs: pd.DataFrame) -> pd.DataFrame:
    """obs with its names as a first column, and without categories, which would not join with text."""
    plain = {
        str(name): column.astype(column.cat.categories.dtype)
        if isinstance(column.dtype, pd.CategoricalDtype)
        else column
        for name, column in obs.items()
    }
    index = str(obs.index.name) if obs.index.name not in (None, "_index", *plain) else "obs_names"
    return pd.DataFrame({index: obs.index.astype(str), **{k: v.to_numpy() for k, v in plain.items()}})


def _is_matrix(source: Any) -> bool:
    return not hasattr(source, "keys") or _is_sparse(source)


def _is_sparse(source: Any) -> bool:
    return hasattr(source, "keys") and str(source.attrs.get("encoding-type", "")) in ("csr_matrix", "csc_matrix")


def _shape(source: Any) -> tuple[int, ...]:
    return tuple(int(n) for n in (source.attrs["shape"] if _is_sparse(source) else source.shape))


def _dtype(source: Any) -> np.dtype:
    return np.dtype(source["data"].dtype if _is_sparse(source) else source.dtype)


def _kind(dtype: Any) -> Kind:
    if pd.api.types.is_bool_dtype(dtype):
        return "boolean"
    if pd.api.types.is_integer_dtype(dtype):
        return "integer"
    if pd.api.types.is_float_dtype(dtype):
        return "number"
    return "time" if pd.api.types.is_datetime64_any_dtype(dtype) else "text"

"""AnnData's file, written with h5py: anndata reads under pandas 3 on every Python, and does not write under all.

Source: the on-disk format of anndata, https://anndata.readthedocs.io/en/stable/fileformat-prose.html (AnnData 0.1.0,
dataframe 0.2.0, categorical 0.2.0, string-array 0.2.0, nullable-integer 0.1.0, dict 0.1.0).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from nearid_core.exchange.embedding import Embedding
from nearid_core.exchange.writers.blocks import row_blocks

if TYPE_CHECKING:
    import h5py

KEY = "X_nearid"  # in obsm, where scanpy looks with use_rep


def write_h5ad(embedding: Embedding, path: Path) -> None:
    """obs are the samples, var the features, ``uns["nearid"]`` the settings.

    The values stand in ``X``, so that a feature can be plotted by its name, and under the same numbers, stored once, in
    ``obsm["X_nearid"]``. float16 becomes float32, which scanpy can compute with and which holds every such number.
    """
    import h5py

    with h5py.File(path, "w") as file:
        _tag(file, "anndata", "0.1.0")
        for name in ("layers", "obsm", "obsp", "varm", "varp", "uns"):
            _tag(file.create_group(name), "dict", "0.1.0")
        _write_values(file, embedding.values)
        file[f"obsm/{KEY}"] = file["X"]  # a hard link
        samples = embedding.samples.set_index(pd.Index(embedding.sample_ids, name="sample_id"))
        _write_frame(file.create_group("obs"), samples.drop(columns="sample_id"))
        _write_frame(file.create_group("var"), embedding.features)
        _write_mapping(file["uns"].create_group("nearid"), embedding.settings)


def _tag(node: h5py.Group | h5py.Dataset, kind: str, version: str) -> None:
    node.attrs["encoding-type"], node.attrs["encoding-version"] = kind, version


def _write_values(file: h5py.File, values: np.ndarray) -> None:
    dtype = np.dtype(np.float32) if values.dtype == np.float16 else values.dtype
    stored = file.create_dataset("X", shape=values.shape, dtype=dtype)
    for rows in row_blocks(values):
        stored[rows] = values[rows]
    _tag(stored, "array", "0.2.0")


def _write_array(group: h5py.Group, name: str, values: np.ndarray) -> None:
    _tag(group.create_dataset(name, data=values), "array", "0.2.0")


def _write_texts(group: h5py.Group, name: str, texts: Iterable[object]) -> None:
    import h5py

    whole = [str(text).replace("\0", "") for text in texts]  # HDF5 ends a text at its first zero
    _tag(
        group.create_dataset(name, data=whole, shape=(len(whole),), dtype=h5py.string_dtype()), "string-array", "0.2.0"
    )


def _write_frame(group: h5py.Group, frame: pd.DataFrame) -> None:
    import h5py

    index = str(frame.index.name)
    names = _keys([str(column) for column in frame.columns], taken={index, "_index"})
    _tag(group, "dataframe", "0.2.0")
    group.attrs["_index"] = index
    group.attrs.create("column-order", names, shape=(len(names),), dtype=h5py.string_dtype())
    _write_texts(group, index, frame.index)
    for position, name in enumerate(names):
        _write_column(group, name, frame.iloc[:, position])


def _write_column(group: h5py.Group, name: str, column: pd.Series) -> None:
    kind = column.dtype
    numeric = pd.api.types.is_numeric_dtype(kind) and not isinstance(kind, pd.CategoricalDtype)
    if numeric and isinstance(kind, np.dtype):
        _write_array(group, name, column.to_numpy())
    elif numeric:
        _write_nullable(group, name, column)
    elif isinstance(kind, pd.CategoricalDtype):
        _write_categorical(group, name, column.array)
    elif column.isna().any() or column.nunique() < len(column):
        _write_categorical(group, name, pd.Categorical(column.map(str, na_action="ignore")))
    else:
        _write_texts(group, name, column)


def _write_categorical(group: h5py.Group, name: str, values: Any) -> None:
    """Codes into categories; -1 for a missing one."""
    inside = group.create_group(name)
    _tag(inside, "categorical", "0.2.0")
    inside.attrs["ordered"] = bool(values.ordered)
    _write_array(inside, "codes", np.asarray(values.codes))
    categories = values.categories
    if pd.api.types.is_numeric_dtype(categories.dtype):
        _write_array(inside, "categories", categories.to_numpy())
    else:
        _write_texts(inside, "categories", categories)


def _write_nullable(group: h5py.Group, name: str, column: pd.Series) -> None:
    """Pandas' numbers with missing ones, as floats, or as whole numbers or booleans beside a mask."""
    if pd.api.types.is_float_dtype(column.dtype):
        _write_array(group, name, column.to_numpy(dtype=np.float64, na_value=np.nan))
        return
    truth = pd.api.types.is_bool_dtype(column.dtype)
    inside = group.create_group(name)
    _tag(inside, "nullable-boolean" if truth else "nullable-integer", "0.1.0")
    _write_array(inside, "values", column.fillna(0).to_numpy(dtype=bool if truth else np.int64))
    _write_array(inside, "mask", column.isna().to_numpy())


def _write_mapping(group: h5py.Group, mapping: Mapping[str, Any]) -> None:
    """Nested settings. What is None is left out: older readers have no form for it."""
    _tag(group, "dict", "0.1.0")
    told = {key: value for key, value in mapping.items() if value is not None}
    for name, value in zip(_keys([str(key) for key in told]), told.values(), strict=True):
        if isinstance(value, Mapping):
            _write_mapping(group.create_group(name), value)
        elif isinstance(value, str):
            _tag(group.create_dataset(name, data=value.replace("\0", "")), "string", "0.2.0")
        elif isinstance(value, bool | int | float):
            _tag(group.create_dataset(name, data=value), "numeric-scalar", "0.2.0")
        elif all(isinstance(entry, int | float) for entry in value):
            _write_array(group, name, np.array(value))
        else:
            _write_texts(group, name, value)


def _keys(names: list[str], taken: set[str] | frozenset[str] = frozenset()) -> list[str]:
    """Names as HDF5 can have them: "/" would open a group and "." is the group itself; each once."""
    used, keys = set(taken), []
    for name in names:
        key = name.replace("/", "_").replace("\0", "")
        key = "_" if key in {"", ".", ".."} else key
        while key in used:
            key = f"{key}_"
        used.add(key)
        keys.append(key)
    return keys

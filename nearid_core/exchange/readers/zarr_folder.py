"""A zarr folder: AnnData, an array, or a group of arrays with one row a sample."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from nearid_core.errors import NearIdError, UnsupportedFormat
from nearid_core.exchange.readers.annotated import AnnotatedTable
from nearid_core.exchange.readers.arrays import ArrayTable, Stored
from nearid_core.exchange.readers.limits import check_expansion
from nearid_core.exchange.readers.reader import READERS, Reader
from nearid_core.exchange.readers.table import Table

_DESCRIPTIONS = ("zarr.json", ".zarray", ".zmetadata")  # the last stands above the others where it is there
_PICKLE = re.compile(r'"(id|name)"\s*:\s*"[^"]*pickle"', re.IGNORECASE)


def open_zarr(path: Path) -> Table:
    try:
        import zarr
    except ImportError:
        raise UnsupportedFormat(f"{path.name} needs the package zarr: pip install 'nearid[zarr]'.") from None
    _check_folder(path)
    try:
        root = zarr.open(str(path), mode="r")
        if isinstance(root, zarr.Group) and "obs" in root:
            return AnnotatedTable(path, root, lambda array: _on_disk(path / array.path))
        return ZarrTable(path, root)
    except NearIdError:
        raise
    except Exception as error:  # zarr and its codecs raise many types for a damaged folder; none of them is ours
        reason = str(error).splitlines()[0][:160] if str(error) else type(error).__name__
        raise UnsupportedFormat(f"{path.name} is damaged, or not a zarr folder ({reason}).") from None


class ZarrTable(ArrayTable):
    def __init__(self, path: Path, root: Any) -> None:
        self._arrays = dict(root.arrays()) if hasattr(root, "arrays") else {"": root}
        for name, array in self._arrays.items():
            if array.ndim not in (1, 2) or np.dtype(array.dtype).kind not in "fiubU":
                raise UnsupportedFormat(
                    f"{path.name}: {name or 'the array'} has shape {array.shape} and type {array.dtype}; expected "
                    f"numbers or text, one row a sample."
                )
            stored = _on_disk(path / name)
            check_expansion(path, int(np.prod(array.shape)) * np.dtype(array.dtype).itemsize, stored)
        super().__init__(path, {n: Stored(array.shape, np.dtype(array.dtype)) for n, array in self._arrays.items()})

    def parts(self, name: str, rows: int) -> Iterator[np.ndarray]:
        array = self._arrays[name]
        for start in range(0, array.shape[0], rows):
            yield np.asarray(array[start : start + rows])


def _check_folder(path: Path) -> None:
    """No link may lead out of the folder, and no codec may run code: zarr 2 has one that unpickles."""
    root = path.resolve()
    for entry in path.rglob("*"):
        if entry.is_symlink() and not entry.resolve().is_relative_to(root):
            raise UnsupportedFormat(f"{path.name}: {entry.relative_to(path)} is a link out of the folder.")
        if entry.name in _DESCRIPTIONS and _PICKLE.search(entry.read_text("utf-8", errors="replace")):
            raise UnsupportedFormat(
                f"{path.name}: {entry.parent.name} holds Python objects, which can run code when they are opened; "
                f"store it as numbers or text."
            )


def _on_disk(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


READERS.register(
    Reader("zarr", "A zarr folder: AnnData or arrays (needs zarr).", (".zarr",), (), open_zarr, folder=True)
)

"""AnnData in HDF5, through anndata."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nearid_core.errors import NearIdError, UnsupportedFormat
from nearid_core.exchange.readers.annotated import AnnotatedTable
from nearid_core.exchange.readers.reader import READERS, Reader
from nearid_core.exchange.readers.table import Table


def open_h5ad(path: Path) -> Table:
    try:
        import h5py
        from anndata.io import read_elem  # noqa: F401 - asked for here, so that its absence has one sentence
    except ImportError:
        raise UnsupportedFormat(f"{path.name} needs the package anndata: pip install anndata.") from None
    try:
        file = h5py.File(path, "r")
        check_links(path, file)
        if "obs" not in file:
            raise UnsupportedFormat(
                f"{path.name} is HDF5 but not AnnData: it has no obs, only {', '.join(list(file)[:6]) or 'nothing'}."
            )
        return AnnotatedTable(path, file, lambda dataset: dataset.id.get_storage_size())
    except NearIdError:
        raise
    except Exception as error:  # anndata and h5py raise many types for a damaged file; none of them is ours
        reason = str(error).splitlines()[0][:160] if str(error) else type(error).__name__
        raise UnsupportedFormat(
            f"{path.name} is cut off, damaged or not written by anndata ({reason}); write it again."
        ) from None


def check_links(path: Path, group: Any) -> None:
    """HDF5 can point to other files of the machine, whose content would then be imported under this one's name."""
    import h5py

    for name in group:
        link = group.get(name, getlink=True)
        if isinstance(link, h5py.ExternalLink):
            raise UnsupportedFormat(
                f"{path.name}: {name} points to another file ({link.filename!r}); it is not opened."
            )
        if isinstance(link, h5py.SoftLink):
            raise UnsupportedFormat(f"{path.name}: {name} is a link inside the file; expected the data itself.")
        entry = group[name]
        if isinstance(entry, h5py.Group):
            check_links(path, entry)
        elif entry.is_virtual or entry.external:
            raise UnsupportedFormat(f"{path.name}: {name} is stored in other files; expected the data itself.")


READERS.register(
    Reader("h5ad", "AnnData: obs, X and obsm (needs anndata).", (".h5ad", ".h5", ".hdf5"), ("h5ad",), open_h5ad)
)

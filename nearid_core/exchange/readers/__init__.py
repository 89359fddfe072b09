"""Formats, one file each; importing a file registers its format."""

from nearid_core.exchange.readers import (  # noqa: F401 - each registers its format
    delimited,
    h5ad_file,
    npy_file,
    npz_file,
    parquet,
    safetensors_file,
    zarr_folder,
)
from nearid_core.exchange.readers.reader import READERS, Reader, open_table, stem, suffixes
from nearid_core.exchange.readers.table import Column, Matrix, Table

__all__ = ["READERS", "Column", "Matrix", "Reader", "Table", "open_table", "stem", "suffixes"]

"""One file a format; each writes an `Embedding` to a path that does not exist yet, or is empty."""

from nearid_core.exchange.writers.csv import write_csv
from nearid_core.exchange.writers.h5ad import write_h5ad
from nearid_core.exchange.writers.npz import write_npz
from nearid_core.exchange.writers.parquet import write_parquet

WRITERS = {".parquet": write_parquet, ".npz": write_npz, ".csv": write_csv, ".h5ad": write_h5ad}

__all__ = ["WRITERS"]

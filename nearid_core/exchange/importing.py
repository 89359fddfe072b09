"""Files of other people's embeddings become runs of a store."""

from __future__ import annotations

from collections.abc import Mapping as Dict
from collections.abc import Sequence
from pathlib import Path

from nearid_core.exchange.mapping import Mapping
from nearid_core.progress import ProgressCallback, ignore
from nearid_core.runs import Run, RunStore


def import_runs(
    paths: str | Path | Sequence[str | Path],
    store: RunStore,
    *,
    layer: str | None = None,
    sample_id: str | Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    mapping: Mapping | None = None,
    choices: Dict[str, str] | None = None,
    on_progress: ProgressCallback = ignore,
) -> list[Run]:
    """Import files as runs: all of them or none.

    paths : npy, npz, csv, tsv (also .gz), parquet, safetensors, h5ad or zarr.
    layer, sample_id, columns : the name of the layer, the column or columns that name a sample, and the features;
        they stand above the mapping.
    mapping : what the columns are; without one it is guessed (see `preview`, which shows the guess).
    choices : for a kind of problem what to do; they stand above those of the mapping.

    Raises InvalidInput where something is missing or wrong and no choice was made, or where the same is in the store
    already; UnsupportedFormat for a file that cannot be read.
    """
    raise NotImplementedError

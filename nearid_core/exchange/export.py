"""Embeddings and loadings as the files that other tools open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from nearid_core.components import Components
from nearid_core.errors import InvalidInput
from nearid_core.exchange.embedding import Embedding, embed
from nearid_core.exchange.tables import export_table
from nearid_core.exchange.writers import WRITERS
from nearid_core.registry import unknown
from nearid_core.runs import Run
from nearid_core.runs.atomic import check_target, whole_file


def export_representation(
    run: Run,
    layer: str,
    path: str | Path,
    *,
    space: str = "raw",
    components: Components | None = None,
    seed: int = 0,
    overwrite: bool = False,
) -> Path:
    """Write one layer of a run, in the format that the name's extension says.

    .parquet and .csv : the columns of `run.samples`, then one a feature. .npz : values, sample_ids, features, settings.
    .h5ad : `X` and ``obsm["X_nearid"]`` with the samples as obs. All but CSV hold settings and package versions.

    space : "raw", as stored; "pca", whitened principal components; "ica", independent components in display order.
    components : a fit to use; without one, the fit is on all rows of the layer, with `seed`.

    Raises InvalidInput for an unknown layer, space or extension, values that cannot be fitted, or a file that exists
    and may not be overwritten.
    """
    _writer(path)
    check_target(Path(path), overwrite=overwrite)  # before work is spent on a fit
    return export_embedding(embed(run, layer, space, components, seed), path, overwrite=overwrite)


def export_embedding(embedding: Embedding, path: str | Path, *, overwrite: bool = False) -> Path:
    """Write any values with their samples, a corrected embedding for one, in the formats of `export_representation`."""
    writer = _writer(path)
    with whole_file(Path(path), overwrite=overwrite) as beside:
        writer(embedding, beside)
    return Path(path)


def loadings(components: Components, features: Sequence[str] | None = None) -> pd.DataFrame:
    """What each component adds to each feature: values are ``mean + components @ loadings.T``.

    features : names of the D columns that the components were fitted on (default: feature_1 ...).

    Returns one row a feature: ``feature``, ``mean``, ``ica_0`` ..., in the unit of the feature for one standard
    deviation of the component.
    """
    width = len(components.mean)
    names = [f"feature_{number}" for number in range(1, width + 1)] if features is None else [str(f) for f in features]
    if len(names) != width:
        raise InvalidInput(
            f"There are {len(names)} feature names and the components were fitted on {width}; give each."
        )
    columns = {f"ica_{number}": column for number, column in enumerate(np.asarray(components.mixing).T)}
    return pd.DataFrame({"feature": names, "mean": components.mean, **columns})


def export_loadings(
    components: Components, path: str | Path, *, features: Sequence[str] | None = None, overwrite: bool = False
) -> Path:
    """Write the table of `loadings` as CSV or parquet."""
    return export_table(loadings(components, features), path, overwrite=overwrite)


def _writer(path: str | Path) -> Callable[[Embedding, Path], None]:
    kind = Path(path).suffix.lower()
    if kind not in WRITERS:
        raise InvalidInput(unknown("format of an embedding", kind or str(path), WRITERS))
    return WRITERS[kind]

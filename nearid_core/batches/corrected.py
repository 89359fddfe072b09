"""The corrected table as a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import nearid_core
from nearid_core.batches.correction import ComponentRemoval
from nearid_core.exchange.embedding import Embedding
from nearid_core.exchange.export import export_embedding


def export_corrected(
    correction: ComponentRemoval,
    values: np.ndarray,
    samples: pd.DataFrame,
    path: str | Path,
    *,
    features: Sequence[str] | None = None,
    settings: dict[str, Any] | None = None,
    overwrite: bool = False,
) -> Path:
    """Write the table without the dropped components beside its samples; the ending says the format.

    features : the table's D names (default: feature_0 ...). settings : of the report that chose the components.
    """
    names = features or [f"feature_{number}" for number in range(values.shape[1])]
    if "sample_id" not in samples:
        samples = samples.assign(sample_id=[str(row) for row in range(len(samples))])
    embedding = Embedding(
        values=correction.transform(values),
        features=pd.DataFrame(index=pd.Index(list(names), name="feature")),
        samples=samples,
        settings={
            "dropped_components": list(correction.dropped),
            "keep_rest": correction.keep_rest,
            "report": settings or {},
            "versions": {"nearid": nearid_core.__version__},
        },
    )
    return export_embedding(embedding, path, overwrite=overwrite)

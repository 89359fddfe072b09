"""NumPy's archive: ``values``, ``sample_ids``, ``features`` and ``settings`` (JSON); opens with allow_pickle=False."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from nearid_core.exchange.embedding import Embedding
from nearid_core.options import canonical_json


def write_npz(embedding: Embedding, path: Path) -> None:
    with path.open("wb") as file:  # by path, numpy would add an extension
        np.savez(
            file,
            allow_pickle=False,
            values=embedding.values,
            sample_ids=embedding.sample_ids,
            features=np.array(embedding.names, dtype=str),
            settings=np.array(canonical_json(embedding.settings)),
        )

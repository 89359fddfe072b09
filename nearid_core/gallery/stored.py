"""Planted truths as runs of a store, so that every page and verb can look at them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import numpy as np
import pandas as pd

import nearid_core
from nearid_core.digest import array_digest, json_digest
from nearid_core.gallery.planted import GALLERY, SEEDS, Planted
from nearid_core.runs import RunSet, RunStore

LAYER = "latent"
PREFIX = "gallery-"


def plant(name: str, store: RunStore) -> RunSet:
    """Put the runs of a planted truth into the store, as far as they are not there, and return their set.

    Raises InvalidInput for a name that there is not, or a store that cannot be written.
    """
    planted = GALLERY[name]
    missing = [seed for seed in SEEDS if not (store.path / _run_id(planted, seed)).is_dir()]
    if missing:
        store.prepare()
        codes, factors = planted.make()
        for seed in missing:
            _write(store, planted, seed, codes[seed], factors)
    return store.get_set(f"{PREFIX}{name}")


def planted_of(set_id: str) -> Planted | None:
    """The truth behind a run set, where it is one of the gallery."""
    name = set_id.removeprefix(PREFIX)
    return GALLERY[name] if set_id.startswith(PREFIX) and name in GALLERY.names() else None


def _run_id(planted: Planted, seed: int) -> str:
    return f"{PREFIX}{planted.name}-s{seed}"


def _write(store: RunStore, planted: Planted, seed: int, code: np.ndarray, factors: pd.DataFrame) -> None:
    values = code.astype(np.float32)
    ids = [f"sample-{row:05d}" for row in range(len(values))]
    record: dict[str, Any] = {
        "id": _run_id(planted, seed),
        "set": f"{PREFIX}{planted.name}",
        "title": f"planted: {planted.title}",
        "seed": seed,
        "status": "done",
        "config": None,
        "dataset": {
            "name": f"planted {planted.name}",
            "digest": json_digest([array_digest(factors.to_numpy().astype(str)), planted.name]),
            "label": planted.label,
            "factors": [str(name) for name in factors],
            "n": len(values),
            "image_shape": None,
        },
        "metrics": {},
        "versions": {"numpy": np.__version__, "nearid": nearid_core.__version__},
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": 0.0,
    }
    with store.begin(record["id"], {"planted": planted.name, "seed": seed}) as writer:
        writer.finish(record, samples=factors.assign(sample_id=ids)[["sample_id", *factors]], layers={LAYER: values})

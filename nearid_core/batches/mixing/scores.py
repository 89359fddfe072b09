"""All mixing scores of one table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from nearid_core.batches.columns import MISSING
from nearid_core.batches.mixing.connectivity import graph_connectivity
from nearid_core.batches.mixing.ilisi import ilisi
from nearid_core.batches.mixing.kbet import kbet
from nearid_core.batches.mixing.neighbours import NEIGHBOURS, nearest
from nearid_core.batches.mixing.pcr import principal_component_regression
from nearid_core.batches.mixing.silhouette import silhouette_batch, silhouette_label
from nearid_core.components.sampling import drawn

MAX_ROWS = 10_000
MEANING = {  # what a score is about, and which way is better
    "pcr": ("batch", "lower"),
    "ilisi": ("batch", "higher"),
    "kbet": ("batch", "higher"),
    "silhouette_batch": ("batch", "higher"),
    "silhouette_label": ("label", "higher"),
    "graph_connectivity": ("label", "higher"),
}


def mixing_scores(
    values: np.ndarray,
    batch: np.ndarray,
    label: np.ndarray | None = None,
    *,
    k: int = NEIGHBOURS,
    max_rows: int = MAX_ROWS,
    seed: int = 0,
) -> pd.DataFrame:
    """One row a score.

    values : (n, d) coordinates; batch, label : (n,) codes, negative where a row has no label (it then counts for the
        batch scores that need none). Of more than `max_rows` rows a sample is taken with the seed.

    ``score``; ``value``; ``of``, batch or label; ``better``, lower or higher; ``n`` rows; ``note``, why there is none.
    """
    if len(values) > max_rows:
        rows = drawn(np.arange(len(values)), max_rows, seed)
        values, batch, label = values[rows], batch[rows], None if label is None else label[rows]
    batch = np.unique(batch, return_inverse=True)[1]
    alone = "" if batch.max() > 0 else "there is one batch"
    neighbours = nearest(values, k)
    found = [
        _row("pcr", len(batch), lambda: principal_component_regression(values, batch), alone),
        _row("ilisi", len(batch), lambda: ilisi(neighbours, batch), alone),
        _row("kbet", len(batch), lambda: kbet(neighbours, batch), alone),
    ]
    if label is None or (label == MISSING).all():
        no_labels = alone or "it is read within labels, and there are none"
        return pd.DataFrame([*found, _row("silhouette_batch", len(batch), lambda: float("nan"), no_labels)])
    known = label != MISSING
    values, batch, label = values[known], batch[known], label[known]
    among = neighbours if known.all() else nearest(values, k)
    several = "" if 2 <= len(np.unique(label)) < len(label) else "there is one label, or a label a sample"
    found += [
        _row("silhouette_batch", len(batch), lambda: silhouette_batch(values, batch, label), alone),
        _row("silhouette_label", len(batch), lambda: silhouette_label(values, label), several),
        _row("graph_connectivity", len(batch), lambda: graph_connectivity(among, label), ""),
    ]
    return pd.DataFrame(found)


def _row(score: str, n: int, compute: Callable[[], float], impossible: str) -> dict[str, object]:
    value = np.nan if impossible else compute()
    note = impossible or ("no label occurs in two batches" if np.isnan(value) else "")
    of, better = MEANING[score]
    return {"score": score, "value": value, "of": of, "better": better, "n": n, "note": note}

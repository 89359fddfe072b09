"""Every component of every space as a point: how much batch, how much biology."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pandas as pd

from nearid_core.batches.columns import MISSING, Columns
from nearid_core.batches.removal import choosing
from nearid_core.batches.variance import one_way, permutation_null, shared_part

PERMUTATIONS = 40
_WORK = 2e8  # numbers touched by the permutations of one space
_FEWEST = 19  # permutations, for a 95 percent point


def component_rows(
    fit: np.ndarray, fit_columns: Columns, read: np.ndarray, read_columns: Columns, seed: int, nulls: bool
) -> pd.DataFrame:
    """One row a component.

    fit, read : (n, d) coordinates of the rows that the space was fitted on, and of the held-out ones.

    ``chosen_eta2_batch`` is read on the fit rows (their controls, where there are any) and orders what is dropped; all
    else is read on the held-out rows: ``eta2_batch``, ``omega2_batch``, ``eta2_bio``, ``omega2_bio``, ``shared``,
    ``batch_share`` and ``bio_share`` (parts of the between-group sums of squares of all components), and with `nulls`
    ``null_batch``, ``null_bio`` (95 percent points of eta^2 under permuted batches, and under labels permuted within
    their batch) and ``p_batch``, ``p_bio``.
    """
    batch, label = read_columns.batch.codes, read_columns.label
    batch_way = one_way(read, batch)
    columns: dict[str, object] = {
        "component": np.arange(read.shape[1]),
        "chosen_eta2_batch": choosing(fit, fit_columns.batch.codes, fit_columns.control).eta2,
        "eta2_batch": batch_way.eta2,
        "omega2_batch": batch_way.omega2,
        "batch_share": _share(batch_way.between),
    }
    times = int(np.clip(_WORK / read.size, _FEWEST, PERMUTATIONS))
    if nulls:
        columns |= _null("batch", batch_way.eta2, permutation_null(read, batch, None, times, seed))
    if label is not None and (label.codes != MISSING).any():
        bio = one_way(read, label.codes)
        columns |= {"eta2_bio": bio.eta2, "omega2_bio": bio.omega2, "bio_share": _share(bio.between)}
        columns["shared"] = shared_part(read, batch, label.codes)
        if nulls:
            columns |= _null("bio", bio.eta2, permutation_null(read, label.codes, batch, times, seed))
    return pd.DataFrame(columns)


def left_after(table: pd.DataFrame, drop: Collection[int], space: str = "pca_ica") -> dict[str, float]:
    """``batch_left`` and ``bio_left`` when any set of components goes: what their shares leave.

    table : of a `BatchReport`.
    """
    rows = table[(table["space"] == space) & (table["draw"] == 0)]
    kept = rows[~rows["component"].isin(list(drop))]
    return {f"{side}_left": float(kept[f"{side}_share"].sum()) for side in ("batch", "bio") if f"{side}_share" in kept}


def _share(between: np.ndarray) -> np.ndarray:
    """A component's part of the between-group sum of squares of all."""
    return between / between.sum() if between.sum() > 0 else np.full_like(between, np.nan)


def _null(name: str, observed: np.ndarray, draws: np.ndarray) -> dict[str, object]:
    """The 95 percent point of the permutations and the one-sided p-value, the observed one counted among them."""
    p = (1 + (draws >= observed).sum(axis=0)) / (1 + len(draws))
    return {f"null_{name}": np.quantile(draws, 0.95, axis=0, method="higher"), f"p_{name}": p}

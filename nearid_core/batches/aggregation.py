"""From cells to wells, from wells to treatments: fewer rows of a higher level."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from nearid_core.errors import InvalidInput
from nearid_core.registry import unknown

HOW = ("mean", "median")


def aggregate(
    values: np.ndarray, samples: pd.DataFrame, by: Sequence[str] | str, how: str = "mean"
) -> tuple[np.ndarray, pd.DataFrame]:
    """One row for each combination of the columns `by`.

    values : (N, D); samples : N rows. how : ``mean`` or ``median``.

    Returns (G, D) float64 and a table of G rows: the columns on which all rows of a group agree, a ``sample_id`` made
    of the values of `by`, and ``n_rows``, how many rows each stands for. Rows where a column of `by` is empty are left
    out. Before a whitening it changes the components; after one, only what they are read on.

    Raises InvalidInput for unknown columns or ways, or where every row is left out.
    """
    columns = [by] if isinstance(by, str) else list(by)
    if how not in HOW:
        raise InvalidInput(unknown("way to aggregate", how, HOW))
    for column in columns:
        if column not in samples:
            raise InvalidInput(unknown("column to aggregate by", column, map(str, samples.columns)))
    known = samples[columns].notna().all(axis=1).to_numpy()
    if not known.any():
        raise InvalidInput(f"No row has a value in every one of the columns {', '.join(columns)}.")
    grouped = samples[known].reset_index(drop=True).groupby(columns, sort=True)
    codes = grouped.ngroup().to_numpy()
    frame = pd.DataFrame(np.asarray(values)[known].astype(np.float64))
    reduced = getattr(frame.groupby(codes), how)().to_numpy()
    agreeing = grouped.nunique(dropna=False).le(1).all()
    first = grouped.head(1).iloc[np.argsort(codes[grouped.head(1).index])].reset_index(drop=True)
    kept = [name for name in samples.columns if name in columns or (name in agreeing.index and agreeing[name])]
    table = first[[name for name in kept if name != "sample_id"]]
    ids = first[columns].astype(str).agg("_".join, axis=1)
    table.insert(0, "sample_id", ids)
    return reduced, table.assign(n_rows=np.bincount(codes))

"""Does a sample find the others of its label, in other batches, before it finds what is not of it?"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Sequence

import numpy as np
import pandas as pd

from nearid_core.batches.columns import MISSING
from nearid_core.batches.generalisation import mean_interval
from nearid_core.components.sampling import drawn

MAX_ROWS = 2_500
ALL_PAIRS_ROWS = 1_000  # without controls every sample of another label is a negative, and the pairs are many
NULL_SIZE = 1_000
_COLUMNS = ["label", "n", "map", "null_map", "p", "corrected_p", "note"]
_CONTROL = -2
_RESAMPLES = 1_000


def retrieval(
    values: np.ndarray,
    label: np.ndarray,
    batch: np.ndarray,
    control: np.ndarray | None = None,
    *,
    names: Sequence[str],
    apart: str = "batch",
    null_size: int = NULL_SIZE,
    max_rows: int = MAX_ROWS,
    seed: int = 0,
) -> pd.DataFrame:
    """Mean average precision of each label; one row a label.

    values : (n, d); similarity is the cosine. label : (n,) codes into `names`, negative for none. A query's positives
        are the samples of its label in *other* batches; its negatives the controls (of any batch), or without controls
        all samples of other labels. batch : (n,) codes in which the two of a positive pair have to differ (compounds,
        where the label is a mechanism); apart : what they are called.

    ``map``; ``null_map``, what a random ranking gives; ``p`` by permutation and ``corrected_p`` (Benjamini and
    Hochberg); ``note``, why there is none. Of more than `max_rows` rows a sample is taken with the seed.

    Source: Kalinin et al., Nature Communications 2025 (copairs).
    """
    rows = np.flatnonzero((label != MISSING) | _or_none(control, len(label)))
    if control is None:
        max_rows = min(max_rows, ALL_PAIRS_ROWS)
    rows = drawn(rows, max_rows, seed)
    known = pd.DataFrame({"label": label[rows], "batch": batch[rows], "control": _or_none(control, len(label))[rows]})
    known.loc[known["control"], "label"] = _CONTROL
    spread = known[~known["control"]].groupby("label")["batch"].nunique()
    alone, asked = spread.index[spread < 2], spread.index[spread >= 2]
    table = [
        (names[code], int((known["label"] == code).sum()), *[np.nan] * 4, f"it is in one {apart} only")
        for code in alone
    ]
    if len(asked) > 1 or (len(asked) and known["control"].any()):
        kept = ~known["label"].isin(alone).to_numpy()
        metadata = known[kept].reset_index(drop=True)
        table += _precise(
            metadata, values[rows][kept], names, "label" if control is None else "control", null_size, seed
        )
    return pd.DataFrame(table, columns=_COLUMNS).sort_values("label", ignore_index=True)


def _precise(
    metadata: pd.DataFrame, values: np.ndarray, names: Sequence[str], told_from: str, null_size: int, seed: int
) -> list[tuple[object, ...]]:
    """Rows of the table for labels that occur in several batches."""
    from copairs.map import average_precision, mean_average_precision

    quiet = {"progress_bar": False}
    same = {"pos_sameby": ["label"], "pos_diffby": ["batch"], "neg_sameby": [], "neg_diffby": [told_from]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        each = average_precision(metadata, values, **same, **quiet)
        each = each[~each["control"]].dropna(subset=["average_precision"])
        with tempfile.TemporaryDirectory() as folder:  # copairs would leave its nulls in the user's home
            how = {"null_size": null_size, "threshold": 0.05, "seed": seed, "cache_dir": folder}
            means = mean_average_precision(each, sameby=["label"], **how, **quiet)
    each = each.assign(chance=_chance(each))
    by_label = each.groupby("label")
    chance, counts = by_label["chance"].mean(), by_label.size()
    return [
        (names[int(row.label)], int(counts[row.label]), row.mean_average_precision, chance[row.label], row.p_value,
         row.corrected_p_value, "")
        for row in means.itertuples()
    ]  # fmt: skip


def _chance(each: pd.DataFrame) -> pd.Series:
    """Average precision of a random ranking with as many pairs; above the share of positives where there are few."""
    from copairs.compute import random_ap

    pairs = each[["n_pos_pairs", "n_total_pairs"]].astype(int)
    expected = {
        key: random_ap(_RESAMPLES, *key, seed=0).mean() for key in set(pairs.itertuples(index=False, name=None))
    }
    return pd.Series([expected[key] for key in pairs.itertuples(index=False, name=None)], each.index)


def _or_none(mask: np.ndarray | None, n: int) -> np.ndarray:
    return np.zeros(n, bool) if mask is None else mask


def retrieved(table: pd.DataFrame, seed: int = 0) -> dict[str, float]:
    """Means over labels with a bootstrap interval: ``map``, ``low``, ``high``, ``null_map``, and ``share_retrieved``,
    the part of the labels with a corrected p under .05."""
    judged = table[table["map"].notna()]
    n = len(judged)
    if not n:
        return dict.fromkeys(("map", "low", "high", "null_map", "share_retrieved"), np.nan) | {"n_labels": 0}
    low, high = mean_interval(judged["map"].to_numpy(), seed)
    return {
        "map": float(judged["map"].mean()),
        "low": low,
        "high": high,
        "null_map": float(judged["null_map"].mean()),
        "share_retrieved": float((judged["corrected_p"] < 0.05).mean()),
        "n_labels": n,
    }

"""One pass over a layer's numbers: what in them is missing, constant or out of scale."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nearid_core.exchange.layer import FileLayer

_SAMPLE = 20_000  # rows from which medians are taken; extremes are those of all rows
_OUT_OF_SCALE = 1_000.0  # MADs from the median; in real profiles only columns that hardly vary reach it
_FEW_ROWS = 0.05  # part of the rows; a column of zeros with more numbers than that is sparse, not constant
_MAD_TO_SD = 1.4826
_MOST_CODES = 30  # distinct whole numbers up to which a column can be a category


@dataclass(frozen=True, eq=False)
class Scan:
    """nan, infinite : (D,) cells of each column; nan_rows, infinite_rows : (N,) bool.

    constant, near_constant : (D,) bool; the second hardly varies but for some rows, which MAD scaling throws out to
        thousands; extreme : (D,) its largest distance from the median, in MADs.
    coded : (D,) bool, few distinct whole numbers; whether that is a category depends on the other columns.
    """

    nan: np.ndarray
    infinite: np.ndarray
    nan_rows: np.ndarray
    infinite_rows: np.ndarray
    constant: np.ndarray
    near_constant: np.ndarray
    extreme: np.ndarray
    coded: np.ndarray


def scan(layer: FileLayer, kept: np.ndarray, on_rows: Callable[[int], None]) -> Scan:
    """kept : (N,) bool, the rows that count; on_rows is told how many rows have been read."""
    width = len(layer.names)
    nan, infinite = np.zeros(width, int), np.zeros(width, int)
    nan_rows, infinite_rows = np.zeros(len(kept), bool), np.zeros(len(kept), bool)
    low, high = np.full(width, np.inf), np.full(width, -np.inf)
    stride = max(1, len(kept) // _SAMPLE)
    sampled = []
    start = 0
    for block in layer.blocks():
        rows = np.flatnonzero(kept[start : start + len(block)])
        used = block if len(rows) == len(block) else block[rows]
        finite = np.isfinite(used)
        if not finite.all():
            missing = np.isnan(used)
            nan += missing.sum(0)
            infinite += (~finite & ~missing).sum(0)
            nan_rows[start + rows] = missing.any(1)
            infinite_rows[start + rows] = (~finite & ~missing).any(1)
        if len(used):
            low = np.minimum(low, np.min(used, 0, initial=np.inf, where=finite))
            high = np.maximum(high, np.max(used, 0, initial=-np.inf, where=finite))
            sampled.append(np.asarray(used[(-start) % stride :: stride], np.float64))
        start += len(block)
        on_rows(start)
    constant = ~(high > low)
    extreme, near, coded = _scales(np.concatenate(sampled) if sampled else np.zeros((0, width)), low, high, constant)
    return Scan(nan, infinite, nan_rows, infinite_rows, constant, near, extreme, coded)


def _scales(
    sample: np.ndarray, low: np.ndarray, high: np.ndarray, constant: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    width = sample.shape[1]
    extreme, near, coded = np.zeros(width), np.zeros(width, bool), np.zeros(width, bool)
    for j in np.flatnonzero(~constant):
        values = sample[np.isfinite(sample[:, j]), j]
        if not len(values):
            continue
        middle = np.median(values)
        mad = _MAD_TO_SD * np.median(np.abs(values - middle))
        reach = max(high[j] - middle, middle - low[j])
        extreme[j] = reach / mad if mad > 0 else np.inf
        rare = np.mean(values != middle) < _FEW_ROWS
        near[j] = extreme[j] > _OUT_OF_SCALE and (mad > 0 or rare)
        if not (values % 1).any():
            coded[j] = len(np.unique(values)) <= min(_MOST_CODES, len(values) // 2)
    return extreme, near, coded

"""Values as text by which equal ones are found, whatever file they come from."""

from __future__ import annotations

import numpy as np
import pandas as pd

SEPARATOR = "\x1f"  # between the parts of a key; no table holds it
_EXACT = 2**53  # below this a float can be every whole number


def key_pair(left: pd.DataFrame, right: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """One text a row on each side; a key with a missing part fits nothing."""
    parts: tuple[list[pd.Series], list[pd.Series]] = ([], [])
    for one, other in zip(left, right, strict=True):
        for side, series in zip(parts, (left[one], right[other]), strict=True):
            side.append(key_text(series))
    return tuple(_combined(side) for side in parts)  # type: ignore[return-value]


def key_text(series: pd.Series) -> pd.Series:
    """Values as text by which equal ones are found: 3, 3.0 and 3.000000 are one, whatever file they come from."""
    if pd.api.types.is_bool_dtype(series) or not pd.api.types.is_numeric_dtype(series):
        return series.astype("str").where(series.notna())
    codes, distinct = pd.factorize(series)  # formatting is slow and values repeat
    texts = np.array([_number_text(value) for value in distinct], object)
    found = texts[codes] if len(texts) else np.full(len(series), None, object)
    found[codes < 0] = None
    return pd.Series(found, series.index, dtype="str")


def _number_text(value: float) -> str:
    whole = abs(value) < _EXACT and value == int(value)
    return str(int(value)) if whole or isinstance(value, (int, np.integer)) else f"{value:.12g}"


def _combined(parts: list[pd.Series]) -> pd.Series:
    combined = parts[0]
    for part in parts[1:]:
        combined = combined + SEPARATOR + part
    return combined

"""Results as JSON that every reader accepts: no NaN, no numpy, no frames."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def jsonable(value: Any) -> Any:
    """`value` in JSON's own types. NaN and infinity become null, a DataFrame a list of row objects, a set a list.

    Raises TypeError for what has no JSON form.
    """
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): jsonable(entry) for key, entry in value.items()}
    if hasattr(value, "to_dict") and hasattr(value, "columns"):
        return [jsonable(row) for row in value.to_dict("records")]
    if hasattr(value, "tolist"):  # numpy scalars and arrays
        return jsonable(value.tolist())
    if isinstance(value, (list, tuple, set, frozenset)):
        return [jsonable(entry) for entry in value]
    raise TypeError(f"{type(value).__name__} has no JSON form")

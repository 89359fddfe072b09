"""Factors as the scores need them: classes for information, numbers for correlation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from nearid_core.errors import InvalidInput

BINS = 20
_SMALLEST_CLASS = 2.0  # rows a value, on average, below which whole numbers are a measurement and not classes


@dataclass(frozen=True, eq=False)
class FactorTable:
    """K factors of n samples.

    names : (K,).
    codes : (n, K) int, classes numbered from 0; factors with more values than classes are binned at their quantiles.
    values : (n, K) float64, the numbers themselves; of a factor without an order, its codes.
    ordered : (K,) bool, False for names, of which only the classes mean something.
    binned : (K,) bool.
    """

    names: tuple[str, ...]
    codes: np.ndarray
    values: np.ndarray
    ordered: np.ndarray
    binned: np.ndarray

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def classes(self) -> np.ndarray:
        """(K,) how many classes each factor has here; 1 for a factor that is constant."""
        return np.array([len(np.unique(column)) for column in self.codes.T], dtype=int)

    @property
    def varying(self) -> np.ndarray:
        """(K,) bool, factors with two classes or more: the others can be found by nothing."""
        return self.classes > 1

    def take(self, rows: np.ndarray) -> FactorTable:
        """Some rows, or all of them in another order; classes that are left empty are renumbered away."""
        codes = [np.unique(column, return_inverse=True)[1] for column in self.codes[rows].T]
        return FactorTable(self.names, np.stack(codes, axis=1), self.values[rows], self.ordered, self.binned)

    def only(self, factors: np.ndarray) -> FactorTable:
        """Some of the factors, by a boolean mask or by position."""
        names = tuple(np.array(self.names, dtype=object)[factors])
        codes, values = self.codes[:, factors], self.values[:, factors]
        return FactorTable(names, codes, values, self.ordered[factors], self.binned[factors])


def factor_table(
    factors: pd.DataFrame | pd.Series | np.ndarray, *, bins: int = BINS, names: Sequence[str] | None = None
) -> FactorTable:
    """Read factors from a table or an array, one column each.

    bins : quantile bins of a continuous factor. Numbers with at most so many values, and whole numbers with at least
        two rows a value, are classes as they are.
    names : of an array's columns; default ``factor_0`` and so on.

    Raises InvalidInput for missing or infinite values, no rows or columns, or a column of names that hardly repeat.
    """
    if bins < 2:
        raise InvalidInput(f"bins is {bins}; expected a whole number, 2 or more.")
    table = _as_frame(factors, names)
    if 0 in table.shape:
        raise InvalidInput(f"The factors have {len(table)} rows and {table.shape[1]} columns; expected some of both.")
    names_of_columns = [str(name) for name in table.columns]
    if len(set(names_of_columns)) < len(names_of_columns):
        twice = next(name for name in names_of_columns if names_of_columns.count(name) > 1)
        raise InvalidInput(f"Two factors are called {twice}; give each a name of its own.")
    read = [_column(str(name), table.iloc[:, place], bins) for place, name in enumerate(table.columns)]
    codes, values, ordered, binned = zip(*read, strict=True)
    return FactorTable(
        names=tuple(str(name) for name in table.columns),
        codes=np.stack(codes, axis=1),
        values=np.stack(values, axis=1),
        ordered=np.array(ordered),
        binned=np.array(binned),
    )


def _as_frame(factors: pd.DataFrame | pd.Series | np.ndarray, names: Sequence[str] | None) -> pd.DataFrame:
    if isinstance(factors, pd.DataFrame):
        return factors
    if isinstance(factors, pd.Series):
        return factors.to_frame(factors.name or "factor_0")
    array = np.asarray(factors)
    array = array[:, None] if array.ndim == 1 else array
    if array.ndim != 2:
        raise InvalidInput(f"The factors have shape {array.shape}; expected one row a sample and one column a factor.")
    names = [f"factor_{place}" for place in range(array.shape[1])] if names is None else list(names)
    if len(names) != array.shape[1]:
        raise InvalidInput(f"There are {len(names)} names for {array.shape[1]} factors; expected one each.")
    return pd.DataFrame(array, columns=names).infer_objects()


def _column(name: str, column: pd.Series, bins: int) -> tuple[np.ndarray, np.ndarray, bool, bool]:
    """codes, values, ordered, binned of one factor."""
    if column.isna().any():
        raise InvalidInput(
            f"Factor {name} has no value in {int(column.isna().sum())} of {len(column)} rows; leave those rows out, or "
            f"the factor."
        )
    if not pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_datetime64_any_dtype(column):
        return _names(name, column)
    values = column.to_numpy().astype(np.float64)
    if not np.isfinite(values).all():
        raise InvalidInput(f"Factor {name} holds infinite values; expected finite numbers or names.")
    found, codes = np.unique(values, return_inverse=True)
    whole = bool((found == np.round(found)).all()) and len(column) >= _SMALLEST_CLASS * len(found)
    if len(found) <= bins or whole:
        return codes, values, True, False
    edges = np.unique(np.quantile(values, np.linspace(0, 1, bins + 1)[1:-1]))
    return np.unique(np.searchsorted(edges, values, "right"), return_inverse=True)[1], values, True, True


def _names(name: str, column: pd.Series) -> tuple[np.ndarray, np.ndarray, bool, bool]:
    found, codes = np.unique(column.astype(str).to_numpy().astype(str), return_inverse=True)
    if len(column) < _SMALLEST_CLASS * len(found):
        raise InvalidInput(
            f"Factor {name} has {len(found):,} different names in {len(column):,} rows; what hardly repeats can not be "
            f"told apart, so leave it out."
        )
    return codes, codes.astype(np.float64), False, False

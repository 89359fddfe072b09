"""Components taken out of a table, and out of tables that come later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nearid_core.components import Components
from nearid_core.errors import InvalidInput


@dataclass(frozen=True, eq=False)
class ComponentRemoval:
    """Removes components that were fitted once from any rows of the same features.

    components : the whitening and rotation; dropped : which components go, by their number in display order.
    keep_rest : also keep what lies outside all components (directions of low variance that were never looked at).
    """

    components: Components
    dropped: tuple[int, ...]
    keep_rest: bool = False

    @property
    def kept(self) -> np.ndarray:
        """Numbers of the components that stay."""
        return np.setdiff1d(np.arange(self.components.rank), self.dropped)

    def transform(self, values: np.ndarray) -> np.ndarray:
        """The table without them, in its own features and units; (n, D) float64.

        Raises InvalidInput for another number of columns.
        """
        found = self._components(values)
        mixing = self.components.mixing
        if self.keep_rest:
            dropped = list(self.dropped)
            return np.asarray(values, dtype=np.float64) - found[:, dropped] @ mixing[:, dropped].T
        return self.components.mean + found[:, self.kept] @ mixing[:, self.kept].T

    def coordinates(self, values: np.ndarray) -> np.ndarray:
        """The components that stay; (n, kept)."""
        return self._components(values)[:, self.kept]

    def _components(self, values: np.ndarray) -> np.ndarray:
        matrix, width = np.asarray(values), len(self.components.mean)
        if matrix.ndim != 2 or matrix.shape[1] != width:
            raise InvalidInput(
                f"The table has shape {matrix.shape}; the correction was fitted on {width} features, so it needs that "
                f"many columns, in the same order."
            )
        return self.components.transform(matrix)


def checked_drop(drop: Sequence[int], rank: int) -> tuple[int, ...]:
    """The numbers, ascending, once each. Raises InvalidInput for one that is no component, or where none would stay."""
    try:
        numbers = sorted({int(number) for number in drop})
    except (TypeError, ValueError):
        raise InvalidInput(f"drop is {drop!r}; expected numbers of components, from 0 to {rank - 1}.") from None
    outside = [number for number in numbers if not 0 <= number < rank]
    if outside:
        raise InvalidInput(f"There is no component {outside[0]}; they are numbered from 0 to {rank - 1}.")
    if len(numbers) == rank:
        raise InvalidInput(f"All {rank} components would be dropped; leave at least one.")
    return tuple(numbers)

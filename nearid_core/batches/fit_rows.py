"""A table, and the rows of it that spaces are fitted on, with what several spaces need of them computed once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nearid_core.components import Whitening, whiten
from nearid_core.components.ica import unmix
from nearid_core.components.sampling import drawn

VARIANCE_KEPT = 0.99
COMPONENTS_MAX = 64
_REMEMBERED = 2  # sets of rows: those to choose on and those to read on
SAMPLED = 10_000  # rows that whitening and ICA are fitted on at most


@dataclass(frozen=True, eq=False)
class FitRows:
    """table : (N, D) all values, maybe memory-mapped; batch : (N,) int; control : (N,) bool or None.

    rows : (n,) positions of the rows to fit on.
    n_components : leading principal directions of the standardised features that are kept (default: those that hold 99%
        of the variance, 64 at most).
    rotation : (r, r) of an ICA of these rows where there is one; else it is fitted when it is asked for.
    seed : of the sample, of ICA's start and of random rotations. name : what to call the table in an error.
    """

    table: np.ndarray
    batch: np.ndarray
    control: np.ndarray | None
    rows: np.ndarray
    n_components: int | None = None
    rotation: np.ndarray | None = None
    seed: int = 0
    name: str = "The table"

    @cached_property
    def values(self) -> np.ndarray:
        """(n, D), the rows to fit on."""
        return self.table[self.rows]

    @cached_property
    def sampled(self) -> np.ndarray:
        """(m, D), those that whitening and ICA are fitted on: a seeded sample where there are many."""
        return self.table[drawn(self.rows, SAMPLED, self.seed)]

    @cached_property
    def whitening(self) -> Whitening:
        full = whiten(self.sampled, self.n_components or COMPONENTS_MAX, standardise=True, name=self.name)
        return full if self.n_components is not None else full.leading(leading(self.shares(full)))

    @cached_property
    def _whitened(self) -> dict[int, tuple[np.ndarray, np.ndarray]]:
        """Of the rows asked for last, by the identity of the array that names them (kept, so that it stays one)."""
        return {}

    def white(self, wanted: np.ndarray) -> np.ndarray:
        """Whitened coordinates of rows of the table; once for all spaces that are a rotation of them, (n, r)."""
        if id(wanted) not in self._whitened:
            if len(self._whitened) == _REMEMBERED:
                self._whitened.pop(next(iter(self._whitened)))
            self._whitened[id(wanted)] = wanted, self.whitening.transform(self.table[wanted])
        return self._whitened[id(wanted)][1]

    def shares(self, whitening: Whitening) -> np.ndarray:
        """The part of the standardised features' variance that lies along each direction."""
        total = np.square((self.sampled - whitening.mean) / whitening.scale).sum() / len(self.sampled)
        return whitening.eigenvalues / float(total)

    @cached_property
    def ica_rotation(self) -> np.ndarray:
        """(r, r), from whitened coordinates to components."""
        if self.rotation is not None:
            return self.rotation
        return unmix(self.whitening.transform(self.sampled), 1, self.seed).rotation


def leading(shares: np.ndarray) -> int:
    """How many leading directions hold 99% of the variance, or all of those there are."""
    reached = np.cumsum(shares) >= VARIANCE_KEPT
    return int(reached.argmax()) + 1 if reached.any() else len(shares)

"""The coordinates in which batch and biology are compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from nearid_core.batches.fit_rows import FitRows
from nearid_core.components import random_rotation
from nearid_core.registry import Registry

RANDOM_DRAWS = 5

Coordinates = Callable[[np.ndarray], np.ndarray]
"""Positions of n rows of the table -> their coordinates, (n, d) float64."""


@dataclass(frozen=True, eq=False)
class FittedSpace:
    """name : the space's; draw : which of its random draws; at : coordinates of rows of the table.

    rotation : (r, r) from the PCA-whitened coordinates, for spaces that are a rotation of them; else None.
    """

    name: str
    at: Coordinates
    draw: int = 0
    rotation: np.ndarray | None = None


class Space(Protocol):
    """title : for people; transductive : whether it sees all rows, those that it is judged on included."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def description(self) -> str: ...

    @property
    def transductive(self) -> bool: ...

    def fit(self, rows: FitRows) -> list[FittedSpace]: ...


SPACES: Registry[Space] = Registry("space")


@dataclass(frozen=True)
class Base:
    name: str = "base"
    title: str = "Base"
    description: str = "every feature standardised"
    transductive: bool = False

    def fit(self, rows: FitRows) -> list[FittedSpace]:
        scale = standardising(rows.values)
        return [FittedSpace(self.name, lambda wanted: scale(rows.table[wanted]))]


@dataclass(frozen=True)
class Pca:
    name: str = "pca"
    title: str = "PCA"
    description: str = "principal components, whitened"
    transductive: bool = False

    def fit(self, rows: FitRows) -> list[FittedSpace]:
        return [_rotated(self.name, rows, np.eye(rows.whitening.rank))]


@dataclass(frozen=True)
class PcaIca:
    name: str = "pca_ica"
    title: str = "PCA + ICA"
    description: str = "independent components of the whitened principal components"
    transductive: bool = False

    def fit(self, rows: FitRows) -> list[FittedSpace]:
        return [_rotated(self.name, rows, rows.ica_rotation)]


@dataclass(frozen=True)
class PcaRandom:
    name: str = "pca_random"
    title: str = "PCA + random"
    description: str = f"whitened principal components turned at random, {RANDOM_DRAWS} times: what any rotation gives"
    transductive: bool = False

    def fit(self, rows: FitRows) -> list[FittedSpace]:
        rng = np.random.default_rng(rows.seed)
        turns = [random_rotation(rows.whitening.rank, rng) for _ in range(RANDOM_DRAWS)]
        return [_rotated(self.name, rows, turn, draw) for draw, turn in enumerate(turns)]


for _space in (Base(), Pca(), PcaIca(), PcaRandom()):
    SPACES.register(_space)


def fit_spaces(names: Sequence[str], rows: FitRows) -> list[FittedSpace]:
    """All draws of the spaces of these names; raises InvalidInput for a name that is not registered."""
    return [fitted for name in names for fitted in SPACES[name].fit(rows)]


def standardising(values: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Centring and scaling by the columns of these rows; a constant column becomes 0."""
    mean = values.mean(axis=0, dtype=np.float64)
    spread = values.std(axis=0, dtype=np.float64)
    scale = np.divide(1.0, spread, out=np.zeros_like(spread), where=spread > 1e-12 * np.abs(mean))
    return lambda new: (np.asarray(new, dtype=np.float64) - mean) * scale


def _rotated(name: str, rows: FitRows, rotation: np.ndarray, draw: int = 0) -> FittedSpace:
    return FittedSpace(name, lambda wanted: rows.white(wanted) @ rotation.T, draw, rotation)

"""The coordinates in which batch and biology are compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from nearid_core.batches.fit_rows import FitRows
from nearid_core.components import random_rotation
from nearid_core.registry import Registry

RANDOM_DRAWS = 5

Transform = Callable[[np.ndarray, np.ndarray, np.ndarray | None], np.ndarray]
"""(values (n, D), batch (n,), control (n,) or None) -> coordinates (n, d) float64."""


@dataclass(frozen=True, eq=False)
class FittedSpace:
    """name : the space's; draw : which of its random draws; transform : coordinates of rows.

    rotation : (r, r) from the PCA-whitened coordinates, for spaces that are a rotation of them; else None.
    """

    name: str
    transform: Transform
    draw: int = 0
    rotation: np.ndarray | None = None


class Space(Protocol):
    """title : for people; transductive : whether it is only defined on the rows that it was fitted on."""

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
DEFAULT = ("base", "pca", "pca_ica", "pca_random")


@dataclass(frozen=True)
class Base:
    name: str = "base"
    title: str = "Base"
    description: str = "every feature standardised"
    transductive: bool = False

    def fit(self, rows: FitRows) -> list[FittedSpace]:
        return [FittedSpace(self.name, standardised(rows.values))]


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


def fit_spaces(names: tuple[str, ...], rows: FitRows) -> list[FittedSpace]:
    """All draws of the spaces of these names; raises InvalidInput for a name that is not registered."""
    return [fitted for name in names for fitted in SPACES[name].fit(rows)]


def standardised(values: np.ndarray) -> Transform:
    """Centring and scaling by these rows' columns; a constant column becomes 0."""
    mean = values.mean(axis=0, dtype=np.float64)
    spread = values.std(axis=0, dtype=np.float64)
    scale = np.divide(1.0, spread, out=np.zeros_like(spread), where=spread > 1e-12 * np.abs(mean))

    def transform(new: np.ndarray, batch: np.ndarray, control: np.ndarray | None) -> np.ndarray:
        return (np.asarray(new, dtype=np.float64) - mean) * scale

    return transform


def _rotated(name: str, rows: FitRows, rotation: np.ndarray, draw: int = 0) -> FittedSpace:
    whitening = rows.whitening

    def transform(new: np.ndarray, batch: np.ndarray, control: np.ndarray | None) -> np.ndarray:
        return whitening.transform(new) @ rotation.T

    return FittedSpace(name, transform, draw, rotation)

"""The coordinates in which components are held against factors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from nearid_core.components import Components, random_rotation
from nearid_core.factors.variants import Variant
from nearid_core.registry import Registry

RANDOM_DRAWS = 10
CONTROL = "random"  # the space that is itself a control, and needs no null


@dataclass(frozen=True, eq=False)
class Coordinates:
    """An affine map of the representation: ``(values - mean) @ matrix.T``.

    matrix : (d, D); mean : (D,). draw : which random rotation, else 0. whitened : all have unit variance.
    """

    space: str
    matrix: np.ndarray
    mean: np.ndarray
    draw: int = 0
    whitened: bool = True

    @property
    def label(self) -> str:
        return SPACES[self.space].labels[self.draw]

    def __call__(self, values: np.ndarray) -> np.ndarray:
        return (np.asarray(values, dtype=np.float64) - self.mean) @ self.matrix.T

    def active(self, coordinates: np.ndarray, variant: Variant) -> np.ndarray:
        """(d,) bool. Of whitened coordinates all are: dead directions were left out before."""
        return np.ones(coordinates.shape[1], bool) if self.whitened else variant.active(coordinates, discrete=False)


@dataclass(frozen=True)
class Space:
    """of : from the components fitted on the fit half, and a random state, to the `draws` coordinate systems."""

    name: str
    title: str
    description: str
    of: Callable[[Components, np.random.Generator], list[Coordinates]]
    draws: int = 1

    @property
    def labels(self) -> list[str]:
        """What its draws are called."""
        return [self.title if self.draws == 1 else f"{self.title}, draw {draw + 1}" for draw in range(self.draws)]


SPACES: Registry[Space] = Registry("space")


def coordinates_of(names: Sequence[str], components: Components, seed: int) -> list[Coordinates]:
    """All draws of the spaces of these names; raises InvalidInput for a name that is not registered."""
    return [one for name in names for one in SPACES[name].of(components, np.random.default_rng(seed))]


def _raw(components: Components, rng: np.random.Generator) -> list[Coordinates]:
    return [Coordinates("raw", np.eye(len(components.mean)), components.mean, whitened=False)]


def _pca(components: Components, rng: np.random.Generator) -> list[Coordinates]:
    return [Coordinates("pca", components.whitening.unmixing, components.mean)]


def _random(components: Components, rng: np.random.Generator) -> list[Coordinates]:
    white = components.whitening.unmixing
    turns = [random_rotation(components.rank, rng) for _ in range(RANDOM_DRAWS)]
    return [Coordinates("random", turn @ white, components.mean, draw) for draw, turn in enumerate(turns)]


def _ica(components: Components, rng: np.random.Generator) -> list[Coordinates]:
    return [Coordinates("ica", components.unmixing, components.mean)]


for _space in (
    Space("raw", "Raw", "the representation's own axes", _raw),
    Space("pca", "PCA", "principal components, whitened; directions without variance left out", _pca),
    Space("random", "PCA + random", f"the same turned at random, {RANDOM_DRAWS} times", _random, RANDOM_DRAWS),
    Space("ica", "PCA + ICA", "the same turned to independent components", _ica),
):
    SPACES.register(_space)

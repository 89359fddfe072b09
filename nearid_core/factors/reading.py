"""A code read against factors: what several scores have in common is computed once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from nearid_core.factors.association import absolute_correlations
from nearid_core.factors.information import normalised_information
from nearid_core.factors.known_factors import FactorTable
from nearid_core.factors.variants import VARIANTS


@dataclass(frozen=True, eq=False)
class Reading:
    """latents : (n, D) float64. table : the factors of the same n samples. active : (D,) bool, latents that count.

    discrete : latents are classes. variant : of InfoMEC. seed : breaks ties between equal latents.
    """

    latents: np.ndarray
    table: FactorTable
    active: np.ndarray
    discrete: bool = False
    variant: str = "reference"
    seed: int = 0

    def rows(self, of_latents: np.ndarray, of_factors: np.ndarray) -> Reading:
        """Some rows; other ones of the factors than of the latents take the two apart."""
        return replace(self, latents=self.latents[of_latents], table=self.table.take(of_factors))

    def only(self, latents: np.ndarray) -> Reading:
        """Some of the latents, by a boolean mask."""
        return replace(self, latents=self.latents[:, latents], active=self.active[latents])

    @cached_property
    def nmi(self) -> np.ndarray:
        """(factors, latents) normalised mutual information; see `normalised_information`."""
        return normalised_information(
            self.latents,
            self.table.codes,
            neighbours=VARIANTS[self.variant].neighbours,
            discrete=self.discrete,
            rng=np.random.RandomState(self.seed),  # as the published code: ties are then broken as there
        )

    @cached_property
    def pearson(self) -> np.ndarray:
        """(factors, latents) |r|; see `absolute_correlations`."""
        return absolute_correlations(self.latents, self.table)

    @cached_property
    def spearman(self) -> np.ndarray:
        """(factors, latents) rank |r|."""
        return absolute_correlations(self.latents, self.table, ranks=True)

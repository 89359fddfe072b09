"""InfoMEC as the published codes compute it; they differ from each other, so a number needs its variant's name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nearid_core.registry import Registry


@dataclass(frozen=True)
class Variant:
    """neighbours : k of the nearest-neighbour estimate.

    quantiles : what the spread of a latent is measured between; (0, 1) is its range.
    share : of the largest spread, above which a continuous latent counts as active.
    """

    name: str
    description: str
    neighbours: int
    quantiles: tuple[float, float]
    share: float

    def active(self, latents: np.ndarray, discrete: bool) -> np.ndarray:
        """(D,) bool. A discrete latent is active when it varies at all."""
        low, high = np.quantile(latents.astype(np.float64), self.quantiles, axis=0)
        spread = high - low
        return spread > 0 if discrete else spread > spread.max() * self.share


VARIANTS: Registry[Variant] = Registry("variant")

for _variant in (
    Variant("reference", "the authors' stand-alone file: k = 10, range above 1/20", 10, (0.0, 1.0), 1 / 20),
    Variant("training", "as logged by the authors' training code: k = 3, range above 1/8", 3, (0.0, 1.0), 1 / 8),
    Variant("range_tenth", "a later copy: k = 10, range above 1/10", 10, (0.0, 1.0), 1 / 10),
    Variant("iqr_tenth", "a later copy: k = 10, interquartile range above 1/10", 10, (0.25, 0.75), 1 / 10),
):
    VARIANTS.register(_variant)

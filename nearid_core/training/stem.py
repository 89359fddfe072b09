"""The leading principal components of the training samples, in front of a network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nearid_core.digest import array_digest, json_digest
from nearid_core.errors import InvalidInput

STEM_WEIGHTS = ("stem.mean", "stem.components")


@dataclass(frozen=True, eq=False)
class Stem:
    """A frozen projection that a network works behind, and the way back.

    Components are orthonormal and keep their scale: a squared error between projections is the one between samples,
    less what the components leave out of both.

    mean : (features,) float32; components : (k, features) float32.
    """

    mean: np.ndarray
    components: np.ndarray

    @classmethod
    def fit(cls, features: np.ndarray, k: int) -> Stem:
        """From training samples, (n, features). The same samples give the same stem.

        Raises InvalidInput for more components than there are.
        """
        from sklearn.decomposition import PCA

        check_components(k, features.shape)
        pca = PCA(k, random_state=0).fit(features)  # above 500 features by randomised SVD, whose seed this is
        return cls(pca.mean_.astype(np.float32), pca.components_.astype(np.float32))

    def project(self, features: np.ndarray) -> np.ndarray:
        """(n, features) to (n, k) float32."""
        return (features - self.mean) @ self.components.T

    def restore(self, projected: np.ndarray) -> np.ndarray:
        """(n, k) to (n, features) float32: the nearest samples that the components can make."""
        return projected @ self.components + self.mean

    @property
    def digest(self) -> str:
        return json_digest([array_digest(self.mean), array_digest(self.components)])

    def weights(self) -> dict[str, np.ndarray]:
        """By the names that they have among a run's weights."""
        return dict(zip(STEM_WEIGHTS, (self.mean, self.components), strict=True))

    @classmethod
    def of_weights(cls, weights: Mapping[str, np.ndarray]) -> Stem | None:
        """What `weights` gave; None where a run has no stem."""
        if not weights.keys() >= set(STEM_WEIGHTS):
            return None
        mean, components = (np.asarray(weights[name], dtype=np.float32) for name in STEM_WEIGHTS)
        return cls(mean, components)


def check_components(k: int, shape: tuple[int, ...]) -> None:
    """Raise InvalidInput where (n, features) training samples do not have k principal components."""
    if k > min(shape):
        raise InvalidInput(
            f"stem is {k}, and {shape[0]:,} training samples of {shape[1]:,} features have {min(shape):,} principal "
            f"components at most; use fewer, or stem=0."
        )


def behind(stem: Stem | None, network: Any) -> Any:
    """The network as a model of samples as they are: through the stem, where there is one."""
    if stem is None:
        return network
    from nearid_core.models._stemmed import Stemmed

    return Stemmed(network, stem.mean, stem.components)

"""The network of the ``masked_autoencoder_mlp`` family; apart from it because it needs torch."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from torch import Tensor

from nearid_core.models._autoencoder import AutoencoderNetwork
from nearid_core.models._body import Body


class MaskedAutoencoder(AutoencoderNetwork):
    """Sees a part of each sample in training and guesses the rest; its layers are those of whole samples.

    patches : (features,), the patch that each feature belongs to; masked : patches hidden of each sample.
    """

    def __init__(self, encoder: Body, decoder: Body, patches: np.ndarray, masked: int) -> None:
        super().__init__(encoder, decoder)
        self.patches = patches
        self.masked = masked

    @property
    def n_patches(self) -> int:
        return int(self.patches.max()) + 1

    def noise(self, samples: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
        hidden = rng.random((samples, self.n_patches)).argsort(1) < self.masked
        return {"hidden": hidden[:, self.patches].astype(np.float32)}

    def loss(self, inputs: Tensor, noise: Mapping[str, Tensor]) -> Tensor:
        """Squared error summed over hidden features, as if all were hidden; mean over the batch."""
        hidden, share = noise["hidden"], self.masked / self.n_patches
        seen = (
            inputs * (1 - hidden) / (1 - share)
        )  # as in dropout: the first layer sums up to as much for whole samples
        return ((self(seen) - inputs).square() * hidden).sum(-1).mean() / share

"""A network behind a stem; apart from `training.stem` because it needs torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn


class Stemmed(nn.Module):
    """A Model's layers, encoder and decoder for samples as they are, where it was trained on their projections.

    mean : (features,); components : (k, features), orthonormal rows.
    """

    mean: Tensor
    components: Tensor

    def __init__(self, network: Any, mean: np.ndarray, components: np.ndarray) -> None:
        super().__init__()
        self.network = network
        self.register_buffer("mean", torch.tensor(mean))
        self.register_buffer("components", torch.tensor(components))

    def encode(self, inputs: Tensor) -> Tensor:
        return self.network.encode(self._projected(inputs))

    def decode(self, latent: Tensor) -> Tensor:
        return self._restored(self.network.decode(latent))

    def forward(self, inputs: Tensor) -> Tensor:
        return self.decode(self.encode(inputs))

    def layers(self, inputs: Tensor) -> Mapping[str, Tensor]:
        found = self.network.layers(self._projected(inputs))
        return {**found, "output": self._restored(found["output"])}

    def _projected(self, inputs: Tensor) -> Tensor:
        return (inputs - self.mean) @ self.components.mT

    def _restored(self, projected: Tensor) -> Tensor:
        return projected @ self.components + self.mean

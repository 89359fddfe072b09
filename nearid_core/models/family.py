"""Model families: how to build one model, and the layers it exposes by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from nearid_core.options import Option
from nearid_core.registry import Registry

if TYPE_CHECKING:
    import torch

    from nearid_core.training.config import TrainConfig


class Model(Protocol):
    """An nn.Module whose forward gives its output, and whose layers can be read by name.

    Samples come and go flat, (batch, features), images too. All that it learns is parameters: it has no buffers, and
    draws no random numbers, so that several can be trained at once without knowing of each other.
    """

    @property
    def stackable(self) -> bool:
        """Whether several are trained faster side by side, as far as they are small."""
        ...

    @property
    def bears_bfloat16(self) -> bool:
        """Whether it trains as well in bfloat16, and faster where the CPU multiplies matrices of it."""
        ...

    @property
    def couples_samples(self) -> bool:
        """Whether the loss of a batch is more than the mean of its samples' losses, so that its size matters."""
        ...

    def encode(self, inputs: torch.Tensor) -> torch.Tensor:
        """(batch, features) to the layer ``latent``, (batch, latent)."""
        ...

    def decode(self, latent: torch.Tensor) -> torch.Tensor:
        """(batch, latent) to (batch, features)."""
        ...

    def layers(self, inputs: torch.Tensor) -> dict[str, torch.Tensor]:
        """Every exposed layer, in order from input to output; (batch, width) each."""
        ...

    def noise(self, samples: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
        """The random numbers that the loss of a batch takes, by name; (samples, ...) float32 each.

        They follow from seed and step alone (`training.schedule.noise_of_step`), which is what lets a training be
        resumed, or joined by other seeds, without changing. Most models need none.
        """
        ...

    def loss(self, inputs: torch.Tensor, noise: Mapping[str, torch.Tensor]) -> torch.Tensor:
        """Training loss of one batch, a scalar; noise : as drawn by `noise`."""
        ...

    def after_step(self, parameters: Mapping[str, torch.Tensor], step: int, last: bool) -> None:
        """Change parameters in place after an optimiser step, to hold a constraint; most models have nothing to do.

        parameters : name to (models, *shape). Several models may be trained at once, so it acts on these and not on
            its own; what it does to one must not depend on the others.
        step : steps taken so far, from 1; last : whether it is the final one.
        """
        ...

    def __call__(self, *args: Any) -> Any: ...


class Family(Protocol):
    """What the registry holds. Building needs torch; listing and checking do not.

    `shape` is that of a sample: (features,), or (channels, height, width) of an image.
    """

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...

    @property
    def options(self) -> tuple[Option, ...]: ...

    @property
    def weight_decay(self) -> float:
        """What is used where none is given."""
        ...

    def layer_names(self, config: TrainConfig, shape: tuple[int, ...]) -> list[str]:
        """The layers that runs of this configuration will have, in order; ``latent`` is among them."""
        ...

    def check(self, config: TrainConfig, shape: tuple[int, ...]) -> None:
        """Raise InvalidInput where the configuration cannot be built for such samples."""
        ...

    def build(self, config: TrainConfig, shape: tuple[int, ...]) -> torch.nn.Module:
        """A fresh Model, initialised from torch's current random state."""
        ...

    def metrics(self, features: np.ndarray, layers: Mapping[str, np.ndarray]) -> dict[str, float]:
        """How good a model is beside its loss, from held-back samples (n, features) and its layers of them."""
        ...


FAMILIES: Registry[Family] = Registry("family")

"""Model families: how to build one model, and the layers it exposes by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from nearid_core.options import Option
from nearid_core.registry import Registry

if TYPE_CHECKING:
    import torch

    from nearid_core.training.config import TrainConfig


class Model(Protocol):
    """An nn.Module whose forward gives its output, and whose layers can be read by name."""

    def layers(self, inputs: torch.Tensor) -> dict[str, torch.Tensor]:
        """Every exposed layer, in order from input to output; (batch, width) each."""
        ...

    def loss(self, inputs: torch.Tensor) -> torch.Tensor:
        """Training loss of one batch, a scalar."""
        ...

    def __call__(self, *args: Any) -> Any: ...


class Family(Protocol):
    """What the registry holds. Building needs torch; listing and checking do not."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...

    @property
    def options(self) -> tuple[Option, ...]: ...

    def layer_names(self, config: TrainConfig) -> list[str]:
        """The layers that runs of this configuration will have, in order; ``latent`` is among them."""
        ...

    def check(self, config: TrainConfig, n_features: int) -> None:
        """Raise InvalidInput where the configuration cannot be built for inputs of this width."""
        ...

    def build(self, config: TrainConfig, n_features: int) -> torch.nn.Module:
        """A fresh Model, initialised from torch's current random state."""
        ...


FAMILIES: Registry[Family] = Registry("family")

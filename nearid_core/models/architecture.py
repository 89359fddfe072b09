"""What encoders and decoders are made of, for every family."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from nearid_core.options import Option
from nearid_core.registry import Registry

if TYPE_CHECKING:
    from nearid_core.models._body import Body
    from nearid_core.training.config import TrainConfig


class Architecture(Protocol):
    """One kind of body. Building needs torch; checking does not. `shape` is that of a sample, as in `Family`."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...

    @property
    def options(self) -> tuple[Option, ...]: ...

    def check(self, config: TrainConfig, shape: tuple[int, ...]) -> None:
        """Raise InvalidInput where it cannot be built for such samples."""
        ...

    def hidden_layers(self, config: TrainConfig, shape: tuple[int, ...]) -> tuple[int, int]:
        """How many layers there are before the latent, and between it and the output."""
        ...

    def encoder(self, config: TrainConfig, shape: tuple[int, ...], width_out: int) -> Body:
        """From flat samples to `width_out` numbers."""
        ...

    def decoder(self, config: TrainConfig, shape: tuple[int, ...]) -> Body:
        """From the latent to flat samples."""
        ...


ARCHITECTURES: Registry[Architecture] = Registry("architecture")

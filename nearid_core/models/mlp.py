"""Bodies of fully connected layers."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import TYPE_CHECKING

from nearid_core.errors import InvalidInput
from nearid_core.models.architecture import ARCHITECTURES
from nearid_core.options import Option

if TYPE_CHECKING:
    from nearid_core.models._body import Body
    from nearid_core.training.config import TrainConfig

OPTIONS = (
    Option("hidden", (128, 128), tuple, "mlp: widths of the encoder's hidden layers, from input to latent.", 1, 8192),
    Option(
        "decoder",
        "free",
        str,
        "mlp: orthonormal holds every decoder matrix to orthonormal columns, so that only the slope distorts "
        "distances.",
        choices=("free", "orthonormal"),
    ),
    Option(
        "decoder_hidden",
        None,
        tuple,
        "mlp: widths of the decoder's hidden layers, from latent to output. Empty: the encoder's, mirrored.",
        1,
        8192,
        optional=True,
    ),
)


@dataclass(frozen=True)
class FullyConnected:
    """Linear layers with SiLU down to the latent, then with LeakyReLU up to the output."""

    name: str = "mlp"
    description: str = "fully connected: SiLU encoder, LeakyReLU decoder"
    options: tuple[Option, ...] = OPTIONS

    def check(self, config: TrainConfig, shape: tuple[int, ...]) -> None:
        widths = decoder_widths(config, prod(shape))
        decreasing = any(after < before for before, after in itertools.pairwise(widths))
        if config.options["decoder"] == "orthonormal" and decreasing:
            raise InvalidInput(
                f"An orthonormal decoder needs widths that do not decrease from latent to output; found "
                f"{' -> '.join(map(str, widths))}. Change latent_dim or decoder_hidden, or use decoder=free."
            )

    def hidden_layers(self, config: TrainConfig, shape: tuple[int, ...]) -> tuple[int, int]:
        hidden = config.options["hidden"]
        return len(hidden), len(config.options["decoder_hidden"] or hidden)

    def encoder(self, config: TrainConfig, shape: tuple[int, ...], width_out: int) -> Body:
        from torch.nn import functional as F

        from nearid_core.models._mlp import MLP

        return MLP((prod(shape), *config.options["hidden"], width_out), F.silu)

    def decoder(self, config: TrainConfig, shape: tuple[int, ...]) -> Body:
        from torch.nn import functional as F

        from nearid_core.models._mlp import MLP

        leaky = partial(F.leaky_relu, negative_slope=config.negative_slope)
        return MLP(decoder_widths(config, prod(shape)), leaky, config.options["decoder"] == "orthonormal")


def decoder_widths(config: TrainConfig, n_features: int) -> tuple[int, ...]:
    """Widths from latent to output. An orthonormal decoder's mirrored widths are clipped so as not to decrease."""
    hidden = config.options["decoder_hidden"]
    if hidden is None:
        hidden = config.options["hidden"][::-1]
        if config.options["decoder"] == "orthonormal":
            hidden = itertools.accumulate((min(width, n_features) for width in hidden), max, initial=config.latent_dim)
            _, *hidden = hidden
    return (config.latent_dim, *hidden, n_features)


FULLY_CONNECTED = ARCHITECTURES.register(FullyConnected())

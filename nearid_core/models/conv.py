"""Bodies of convolutions, for images."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nearid_core.errors import InvalidInput
from nearid_core.models.architecture import ARCHITECTURES
from nearid_core.options import Option

if TYPE_CHECKING:
    from nearid_core.models._body import Body
    from nearid_core.training.config import TrainConfig

SIDES = (8, 16, 32, 64)
SMALLEST = 4  # pixels a side where the convolutions end, unless `channels` says otherwise
FIRST, REST = 32, 64  # channels, unless `channels` says otherwise

OPTIONS = (
    Option(
        "channels",
        None,
        tuple,
        "conv: channels of each convolution, which halves the side; time grows with their product. Empty: 32, then "
        "64 down to 4 x 4 pixels.",
        1,
        1024,
        optional=True,
        introduced_later=True,
    ),
    Option(
        "fc",
        256,
        int,
        "conv: width of the fully connected layer between convolutions and latent.",
        1,
        8192,
        introduced_later=True,
    ),
)


@dataclass(frozen=True)
class Convolutional:
    """Strided 4 x 4 convolutions with LeakyReLU, one fully connected layer, and their mirror behind the latent.

    Hidden layers that are images are exposed as their mean over space, one number a channel: whole, those of a few
    thousand samples would take gigabytes.
    """

    name: str = "conv"
    description: str = "convolutional, for images of 8 to 64 pixels a side"
    options: tuple[Option, ...] = OPTIONS

    def check(self, config: TrainConfig, shape: tuple[int, ...]) -> None:
        if len(shape) != 3:
            raise InvalidInput(
                f"architecture=conv needs images; samples here are vectors of {shape[0]:,} numbers (as they are behind "
                f"a stem). Use architecture=mlp, or stem=0 where the dataset has images."
            )
        height, width = shape[1:]
        if height != width or height not in SIDES:
            raise InvalidInput(
                f"architecture=conv needs square images of {', '.join(map(str, SIDES[:-1]))} or {SIDES[-1]} pixels a "
                f"side; found {height} x {width}. Use architecture=mlp."
            )
        most = height.bit_length() - 2  # down to 2 x 2 pixels
        if len(channels(config, shape)) > most:
            raise InvalidInput(
                f"channels has {len(channels(config, shape))} entries, and each halves the side of {height} pixels; "
                f"expected {most} at most."
            )

    def hidden_layers(self, config: TrainConfig, shape: tuple[int, ...]) -> tuple[int, int]:
        halvings = len(channels(config, shape))
        return halvings + 1, halvings + 1

    def encoder(self, config: TrainConfig, shape: tuple[int, ...], width_out: int) -> Body:
        from nearid_core.models._conv import ConvEncoder

        return ConvEncoder(shape, channels(config, shape), config.options["fc"], width_out)

    def decoder(self, config: TrainConfig, shape: tuple[int, ...]) -> Body:
        from nearid_core.models._conv import ConvDecoder

        wide, fc = channels(config, shape), config.options["fc"]
        return ConvDecoder(config.latent_dim, shape, wide, fc, config.negative_slope)


def channels(config: TrainConfig, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Of each convolution of the encoder."""
    chosen = config.options["channels"]
    halvings = (shape[1] // SMALLEST).bit_length() - 1
    return chosen or (FIRST, *[REST] * (halvings - 1))


CONVOLUTIONAL = ARCHITECTURES.register(Convolutional())

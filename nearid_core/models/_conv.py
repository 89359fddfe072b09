"""Convolutional encoders and decoders; apart from `conv` because they need torch.

Images lie in memory with their channels last, as the kernels of CPUs and GPUs like it: up to 1.2 times as fast in
float32, 1.2 to 1.5 times in bfloat16 (benchmarks/precision.py, CPU with AMX).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TypeVar

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from nearid_core.models._body import Body

KERNEL, STRIDE, PADDING = 4, 2, 1  # halves the side, or doubles it where it is transposed
ENCODER_SLOPE = 0.2
# Pixels spread by about a tenth. Outputs that start spread by 1 take most of a short training to come down: on cells,
# 25 epochs end at an r2 of 0.19 with them, and at 0.53 with this.
OUTPUT_SPREAD = 0.1

Layer = TypeVar("Layer", nn.Conv2d, nn.ConvTranspose2d, nn.Linear)


class ConvEncoder(Body):
    """Strided convolutions down to a small image, one fully connected layer, and a linear head.

    shape : (channels, height, width) of an image, which comes in flat.
    channels : of each convolution; fc : width of the fully connected layer; width_out : of the head.
    """

    stackable = False
    bears_bfloat16 = True

    def __init__(self, shape: tuple[int, ...], channels: Sequence[int], fc: int, width_out: int) -> None:
        side = shape[1] >> len(channels)
        super().__init__(
            [
                *(_convolution(*pair) for pair in itertools.pairwise((shape[0], *channels))),
                _linear(channels[-1] * side * side, fc, ENCODER_SLOPE),
                _linear(fc, width_out, 1.0),
            ]
        )
        self.shape = tuple(shape)

    def outputs(self, inputs: Tensor) -> list[Tensor]:
        *convolutions, fc, head = self
        found = [inputs.unflatten(1, self.shape).contiguous(memory_format=torch.channels_last)]
        for layer in convolutions:
            found.append(F.leaky_relu(layer(found[-1]), ENCODER_SLOPE))
        hidden = F.leaky_relu(fc(found[-1].flatten(1)), ENCODER_SLOPE)
        return [*found[1:], hidden, head(hidden)]


class ConvDecoder(Body):
    """The encoder's mirror: two fully connected layers up to a small image, then transposed convolutions.

    shape, channels, fc : the encoder's. negative_slope : of the LeakyReLU after each layer but the last.
    """

    stackable = False
    bears_bfloat16 = True

    def __init__(
        self, latent_dim: int, shape: tuple[int, ...], channels: Sequence[int], fc: int, negative_slope: float
    ) -> None:
        side = shape[1] >> len(channels)
        upwards = itertools.pairwise((*reversed(channels), shape[0]))
        super().__init__(
            [
                _linear(latent_dim, fc, negative_slope),
                _linear(fc, channels[-1] * side * side, negative_slope),
                *(_transposed(*pair, negative_slope) for pair in upwards),
            ]
        )
        with torch.no_grad():
            self[-1].weight.mul_(OUTPUT_SPREAD)  # type: ignore[operator]
        self.smallest = (channels[-1], side, side)
        self.negative_slope = negative_slope

    def outputs(self, inputs: Tensor) -> list[Tensor]:
        fc, unfold, *transposed, last = self
        hidden = self._leaky(fc(inputs))
        smallest = self._leaky(unfold(hidden)).unflatten(1, self.smallest)
        found = [hidden, smallest.contiguous(memory_format=torch.channels_last)]
        for layer in transposed:
            found.append(self._leaky(layer(found[-1])))
        return [*found, last(found[-1]).flatten(1)]

    def _leaky(self, hidden: Tensor) -> Tensor:
        return F.leaky_relu(hidden, self.negative_slope)


def _convolution(channels_in: int, channels_out: int) -> nn.Conv2d:
    layer = nn.Conv2d(channels_in, channels_out, KERNEL, STRIDE, PADDING)
    return _initialised(layer, channels_in * KERNEL**2, ENCODER_SLOPE)


def _transposed(channels_in: int, channels_out: int, slope: float) -> nn.ConvTranspose2d:
    layer = nn.ConvTranspose2d(channels_in, channels_out, KERNEL, STRIDE, PADDING)
    return _initialised(layer, channels_in * (KERNEL // STRIDE) ** 2, slope)  # the pixels that one is made from


def _linear(width_in: int, width_out: int, slope: float) -> nn.Linear:
    return _initialised(nn.Linear(width_in, width_out), width_in, slope)


def _initialised(layer: Layer, fan_in: int, slope: float) -> Layer:
    """Keeps the mean square through a LeakyReLU of that slope (He et al. 2015)."""
    nn.init.normal_(layer.weight, std=math.sqrt(2 / (1 + slope**2) / fan_in))
    nn.init.zeros_(layer.bias)  # type: ignore[arg-type]
    return layer

"""Fully connected encoders and decoders; apart from `mlp` because they need torch."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence

from torch import Tensor, nn

from nearid_core.models._body import Body

RETRACT_EVERY = 5  # steps; Adam leaves the manifold by about the learning rate a step
POLISH = 8  # Newton-Schulz iterations at the end: quadratic convergence, so to float32 precision


class MLP(Body):
    """Linear layers, all but the last activated.

    widths : from input to output.
    orthonormal : hold every matrix to orthonormal columns, which needs widths that do not decrease. Then a decoder
        distorts distances by its activations alone.
    """

    def __init__(
        self, widths: Sequence[int], activation: Callable[[Tensor], Tensor], orthonormal: bool = False
    ) -> None:
        super().__init__(_linear(*pair, orthonormal) for pair in itertools.pairwise(widths))
        self.activation = activation
        self.orthonormal = orthonormal

    def outputs(self, inputs: Tensor) -> list[Tensor]:
        *hidden, last = self
        found = [inputs]
        for layer in hidden:
            found.append(self.activation(layer(found[-1])))
        return [*found[1:], last(found[-1])]

    def after_step(self, parameters: Mapping[str, Tensor], step: int, last: bool) -> None:
        if not self.orthonormal or not (last or step % RETRACT_EVERY == 0):
            return
        for name, weight in parameters.items():
            if name.endswith(".weight"):
                weight.copy_(retract(weight, POLISH if last else 1))


def retract(weight: Tensor, iterations: int) -> Tensor:
    """The nearest matrix with orthonormal columns, by Newton-Schulz: (..., out, in) with out >= in.

    Converges from any start with singular values below sqrt(3); each iteration about squares the error.
    """
    for _ in range(iterations):
        weight = 1.5 * weight - 0.5 * weight @ (weight.mT @ weight)
    return weight


def _linear(width_in: int, width_out: int, orthonormal: bool) -> nn.Linear:
    layer = nn.Linear(width_in, width_out)
    if orthonormal:
        nn.init.orthogonal_(layer.weight)  # by QR of a Gaussian matrix
    else:
        nn.init.normal_(layer.weight, std=1 / math.sqrt(width_in))  # keeps the variance of what comes in
    nn.init.zeros_(layer.bias)
    return layer

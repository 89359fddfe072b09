"""The network of the ``autoencoder`` family; apart from it because it needs torch."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence

from torch import Tensor, nn
from torch.nn import functional as F

RETRACT_EVERY = 5  # steps; Adam leaves the manifold by about the learning rate a step
POLISH = 8  # Newton-Schulz iterations at the end: quadratic convergence, so to float32 precision


class MLPAutoencoder(nn.Module):
    """Linear layers with SiLU down to the latent, then with LeakyReLU up to the output.

    encoder_widths : features, hidden ..., latent.
    decoder_widths : latent, hidden ..., features.
    orthonormal : hold every decoder matrix to orthonormal columns, which needs widths that do not decrease. Then the
        decoder distorts distances by its LeakyReLUs alone.
    """

    def __init__(
        self, encoder_widths: Sequence[int], decoder_widths: Sequence[int], negative_slope: float, orthonormal: bool
    ) -> None:
        super().__init__()
        self.encoder = nn.ModuleList(_linear(*pair) for pair in itertools.pairwise(encoder_widths))
        self.decoder = nn.ModuleList(_linear(*pair, orthonormal) for pair in itertools.pairwise(decoder_widths))
        self.negative_slope = negative_slope
        self.orthonormal = orthonormal

    def encode(self, inputs: Tensor) -> Tensor:
        """(batch, features) to (batch, latent)."""
        return _outputs(self.encoder, F.silu, inputs)[-1]

    def decode(self, latent: Tensor) -> Tensor:
        """(batch, latent) to (batch, features)."""
        return _outputs(self.decoder, self._leaky, latent)[-1]

    def forward(self, inputs: Tensor) -> Tensor:
        return self.decode(self.encode(inputs))

    def loss(self, inputs: Tensor) -> Tensor:
        """Squared error summed over features, mean over the batch."""
        return (self(inputs) - inputs).square().sum(-1).mean()

    def layers(self, inputs: Tensor) -> dict[str, Tensor]:
        *encoder, latent = _outputs(self.encoder, F.silu, inputs)
        *decoder, output = _outputs(self.decoder, self._leaky, latent)
        return {
            **{f"encoder_{number}": hidden for number, hidden in enumerate(encoder, 1)},
            "latent": latent,
            **{f"decoder_{number}": hidden for number, hidden in enumerate(decoder, 1)},
            "output": output,
        }

    def after_step(self, parameters: Mapping[str, Tensor], step: int, last: bool) -> None:
        if not self.orthonormal or not (last or step % RETRACT_EVERY == 0):
            return
        for name, weight in parameters.items():
            if name.startswith("decoder.") and name.endswith(".weight"):
                weight.copy_(retract(weight, POLISH if last else 1))

    def _leaky(self, hidden: Tensor) -> Tensor:
        return F.leaky_relu(hidden, self.negative_slope)


def retract(weight: Tensor, iterations: int) -> Tensor:
    """The nearest matrix with orthonormal columns, by Newton-Schulz: (..., out, in) with out >= in.

    Converges from any start with singular values below sqrt(3); each iteration about squares the error.
    """
    for _ in range(iterations):
        weight = 1.5 * weight - 0.5 * weight @ (weight.mT @ weight)
    return weight


def _outputs(layers: nn.ModuleList, activation: Callable[[Tensor], Tensor], inputs: Tensor) -> list[Tensor]:
    """What each layer gives; all but the last are activated."""
    found = [inputs]
    for layer in layers[:-1]:
        found.append(activation(layer(found[-1])))
    return [*found[1:], layers[-1](found[-1])]


def _linear(width_in: int, width_out: int, orthonormal: bool = False) -> nn.Linear:
    layer = nn.Linear(width_in, width_out)
    if orthonormal:
        nn.init.orthogonal_(layer.weight)  # by QR of a Gaussian matrix
    else:
        nn.init.normal_(layer.weight, std=1 / math.sqrt(width_in))  # keeps the variance of what comes in
    nn.init.zeros_(layer.bias)
    return layer

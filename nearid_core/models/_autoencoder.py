"""The network that every family here starts from; apart from the families because it needs torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from torch import Tensor, nn

from nearid_core.models._body import Body


class AutoencoderNetwork(nn.Module):
    """An encoder to a code, the latent read off it, and a decoder of that; other families say what differs."""

    couples_samples: ClassVar[bool] = False

    def __init__(self, encoder: Body, decoder: Body) -> None:
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder

    @property
    def stackable(self) -> bool:
        return self.encoder.stackable and self.decoder.stackable

    @property
    def bears_bfloat16(self) -> bool:
        return self.encoder.bears_bfloat16 and self.decoder.bears_bfloat16

    @property
    def latent_dim(self) -> int:
        return self.decoder[0].in_features  # type: ignore[return-value]

    def encode(self, inputs: Tensor) -> Tensor:
        return self.latents(self.encoder(inputs))["latent"]

    def decode(self, latent: Tensor) -> Tensor:
        return self.decoder(latent)

    def forward(self, inputs: Tensor) -> Tensor:
        return self.decode(self.encode(inputs))

    def latents(self, code: Tensor) -> dict[str, Tensor]:
        """The layers between encoder and decoder, from what the encoder gives; ``latent`` comes last."""
        return {"latent": code}

    def noise(self, samples: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
        return {}

    def loss(self, inputs: Tensor, noise: Mapping[str, Tensor]) -> Tensor:
        return squared_error(self(inputs), inputs)

    def layers(self, inputs: Tensor) -> dict[str, Tensor]:
        *encoder, code = self.encoder.outputs(inputs)
        latents = self.latents(code)
        *decoder, output = self.decoder.outputs(latents["latent"])
        return {
            **{f"encoder_{number}": _pooled(hidden) for number, hidden in enumerate(encoder, 1)},
            **latents,
            **{f"decoder_{number}": _pooled(hidden) for number, hidden in enumerate(decoder, 1)},
            "output": output,
        }

    def after_step(self, parameters: Mapping[str, Tensor], step: int, last: bool) -> None:
        for name in ("encoder", "decoder"):
            own = {key.removeprefix(f"{name}."): value for key, value in parameters.items() if key.startswith(name)}
            getattr(self, name).after_step(own, step, last)


def squared_error(output: Tensor, inputs: Tensor) -> Tensor:
    """Summed over features, mean over the batch."""
    return (output - inputs).square().sum(-1).mean()


def _pooled(hidden: Tensor) -> Tensor:
    """(batch, channels, height, width) to its mean over space, (batch, channels)."""
    return hidden.mean((-2, -1)) if hidden.ndim > 2 else hidden

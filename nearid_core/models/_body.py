"""What an encoder and a decoder have in common, whatever layers they are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from torch import Tensor, nn


class Body(nn.ModuleList):
    """Layers with weights, in a row: an encoder or a decoder.

    stackable : whether it gains from being batched over models. Matrix products do on a CPU; convolutions do not, and
        would be computed by other kernels.
    bears_bfloat16 : whether it has been measured to train as well in bfloat16, and faster (benchmarks/precision.py).
    """

    stackable: ClassVar[bool] = True
    bears_bfloat16: ClassVar[bool] = False

    def outputs(self, inputs: Tensor) -> list[Tensor]:
        """What each layer gives, activated but for the last; (batch, width), or (batch, channels, height, width)."""
        raise NotImplementedError

    def forward(self, inputs: Tensor) -> Tensor:
        """(batch, width in) to (batch, width out)."""
        return self.outputs(inputs)[-1]

    def after_step(self, parameters: Mapping[str, Tensor], step: int, last: bool) -> None:
        """Hold a constraint, as in `Model.after_step`; parameters are named as within this body."""

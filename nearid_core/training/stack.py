"""Models of one shape side by side, as parameters with a leading models axis."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.func import functional_call, stack_module_state, vmap


class Stack:
    """M models whose parameters are one tensor a name, (M, *shape).

    side_by_side : batch the matrix products over models. It pays for small models; one large model keeps the cores
        busy by itself, and is then called directly (M = 1).

    A lone model side by side gets a twin that is never read: a batched product of one matrix goes through another
    kernel, and rounds differently, than one of two or more. So a seed's weights do not depend on its company.
    """

    def __init__(self, models: Sequence[nn.Module], device: str, side_by_side: bool) -> None:
        if len(models) > 1 and not side_by_side:
            raise ValueError("several models have to be side by side")
        self.count = len(models)
        stacked, _ = stack_module_state([*models, *models] if side_by_side and len(models) == 1 else list(models))
        self.parameters = {name: value.detach().to(device).requires_grad_() for name, value in stacked.items()}
        self._blank = copy.deepcopy(models[0]).to("meta")
        self._loss = _Loss(self._blank)
        self._side_by_side = side_by_side

    def losses(self, batches: Tensor) -> Tensor:
        """Loss of each model on its own batch: (M, batch, features) to (M,)."""
        parameters = {f"model.{name}": value for name, value in self.parameters.items()}
        if not self._side_by_side:
            alone = {name: value.squeeze(0) for name, value in parameters.items()}
            return functional_call(self._loss, alone, (batches.squeeze(0),))[None]
        if self.count == 1:
            batches = batches.expand(2, *batches.shape[1:])
        return vmap(lambda one, batch: functional_call(self._loss, one, (batch,)))(parameters, batches)[: self.count]

    @torch.no_grad()
    def after_step(self, step: int, last: bool) -> None:
        self._blank.after_step(self.parameters, step, last)  # type: ignore[operator]

    def weights(self, index: int) -> dict[str, np.ndarray]:
        """Parameters of one model, by name, as its own arrays."""
        return {name: value[index].detach().cpu().numpy().copy() for name, value in self.parameters.items()}

    @torch.no_grad()
    def load(self, index: int, weights: Mapping[str, np.ndarray]) -> None:
        for name, value in weights.items():
            self.parameters[name][index].copy_(torch.from_numpy(value))

    def model(self, index: int) -> Any:
        """One model as a module of its own, on the stack's device."""
        alone = copy.deepcopy(self._blank).to_empty(device=next(iter(self.parameters.values())).device)
        alone.load_state_dict({name: value[index].detach() for name, value in self.parameters.items()})
        return alone.eval()


class _Loss(nn.Module):
    """A model whose call is its loss, which is what functional_call can reach."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def forward(self, batch: Tensor) -> Tensor:
        return self.model.loss(batch)

"""Models of one shape side by side, as parameters with a leading models axis."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.func import functional_call, stack_module_state, vmap

LANES = 32  # float32 values that a vectorised loop takes at a time, at most (two AVX-512 registers)


class Stack:
    """M models whose parameters are one tensor a name, (M, *shape).

    parameters : by name, views into `flat`.
    flat : all matrices in one tensor and all biases in another, (M, values) each, for the optimiser.
    side_by_side : batch the matrix products over models. It pays for small models; one large model keeps the cores
        busy by itself, and is then called directly (M = 1).

    On a CPU a model's numbers do not depend on its company, to the bit, for batches of a multiple of LANES samples.
    What it takes: a lone model gets a twin that is never read, since a batched product of one matrix goes through
    another kernel than one of two or more; and each model's values begin at a multiple of LANES, since what is left
    over at the end of a vectorised loop goes through scalar code. Either would round differently.
    """

    def __init__(self, models: Sequence[nn.Module], device: str, side_by_side: bool) -> None:
        if len(models) > 1 and not side_by_side:
            raise ValueError("several models have to be side by side")
        self.count = len(models)
        twinned = [*models, *models] if side_by_side and self.count == 1 else list(models)
        stacked, _ = stack_module_state(twinned)
        matrices = {name: value for name, value in stacked.items() if value.ndim > 2}
        biases = {name: value for name, value in stacked.items() if value.ndim <= 2}
        self.parameters: dict[str, Tensor] = {}
        self.flat: dict[str, Tensor] = {}
        self._gradients: dict[str, Tensor] = {}
        for kind, values in (("matrices", matrices), ("biases", biases)):
            self.flat[kind] = self._pack(values, device)
        self._device = device
        self._blank = copy.deepcopy(models[0]).to("meta")
        self._loss = _Loss(self._blank)
        self._side_by_side = side_by_side

    def losses(self, batches: Tensor, noise: Mapping[str, Tensor]) -> Tensor:
        """Loss of each model on its own batch: (M, batch, features) to (M,); noise : (M, batch, ...) each."""
        if not self._side_by_side:
            return self.loss_of(0, batches[0], {name: value[0] for name, value in noise.items()})[None]
        given = {"batch": batches, **noise}
        if self.count == 1:
            given = {name: value.expand(2, *value.shape[1:]) for name, value in given.items()}
        return vmap(self._call)(self.parameters, given)[: self.count]

    def loss_of(self, index: int, samples: Tensor, noise: Mapping[str, Tensor]) -> Tensor:
        """Loss of one model alone, a scalar; samples : (n, features), for any n; noise : (n, ...) each."""
        alone = {name: value[index] for name, value in self.parameters.items()}
        return self._call(alone, {"batch": samples, **noise})

    def noise(self, samples: int, rngs: Iterable[np.random.Generator]) -> dict[str, Tensor]:
        """What `Model.noise` draws from each of the rngs, (rngs, samples, ...), on the stack's device."""
        each = [self._blank.noise(samples, rng) for rng in rngs]  # type: ignore[operator]
        return {name: torch.from_numpy(np.stack([one[name] for one in each])).to(self._device) for name in each[0]}

    @property
    def couples_samples(self) -> bool:
        return bool(self._blank.couples_samples)

    def backward(self, losses: Tensor) -> None:
        """Put the gradient of each model's loss, (M,), where the optimiser of `flat` looks for it."""
        found = torch.autograd.grad(losses.sum(), list(self.parameters.values()))
        for name, gradient in zip(self.parameters, found, strict=True):
            self._gradients[name].copy_(gradient)

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
        alone = copy.deepcopy(self._blank).to_empty(device=self._device)
        alone.load_state_dict({name: value[index].detach() for name, value in self.parameters.items()})
        return alone.eval()

    def _call(self, parameters: Mapping[str, Tensor], given: Mapping[str, Tensor]) -> Tensor:
        noise = {name: value for name, value in given.items() if name != "batch"}
        named = {f"model.{name}": value for name, value in parameters.items()}
        return functional_call(self._loss, named, (given["batch"], noise))

    def _pack(self, stacked: Mapping[str, Tensor], device: str) -> Tensor:
        """All values in one (models, values) tensor, a model's share padded to LANES, with views of it by name."""
        models = len(next(iter(stacked.values())))
        sizes = [value[0].numel() for value in stacked.values()]
        flat, gradients = (torch.zeros(models, -(-sum(sizes) // LANES) * LANES, device=device) for _ in range(2))
        begin = 0
        for (name, value), size in zip(stacked.items(), sizes, strict=True):
            share = slice(begin, begin + size)
            self.parameters[name] = flat[:, share].view(value.shape).copy_(value.detach()).requires_grad_()
            self._gradients[name] = gradients[:, share].view(value.shape)
            begin += size
        flat.grad = gradients
        return flat


class _Loss(nn.Module):
    """A model whose call is its loss, which is what functional_call can reach."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def forward(self, batch: Tensor, noise: Mapping[str, Tensor]) -> Tensor:
        return self.model.loss(batch, noise)

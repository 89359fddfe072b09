"""Adam with decoupled weight decay over stacked models, and its moments one model at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

MOMENTS = ("exp_avg", "exp_avg_sq")


def adam(parameters: Mapping[str, Tensor], weight_decay: float) -> torch.optim.AdamW:
    """Matrices decay, W *= 1 - lr * weight_decay, and biases do not. parameters : name to (models, *shape)."""
    matrices = [value for value in parameters.values() if value.ndim > 2]
    biases = [value for value in parameters.values() if value.ndim <= 2]
    groups: list[dict[str, Any]] = [{"params": matrices, "weight_decay": weight_decay}, {"params": biases}]
    return torch.optim.AdamW(groups, weight_decay=0.0)


def moments(optimizer: torch.optim.Optimizer, parameters: Mapping[str, Tensor], index: int) -> dict[str, np.ndarray]:
    """Both moments of one model, keyed ``exp_avg/<parameter>`` and ``exp_avg_sq/<parameter>``."""
    return {
        f"{which}/{name}": optimizer.state[parameter][which][index].cpu().numpy().copy()
        for name, parameter in parameters.items()
        for which in MOMENTS
    }


def load_moments(
    optimizer: torch.optim.Optimizer,
    parameters: Mapping[str, Tensor],
    each: Sequence[Mapping[str, np.ndarray]],
    step: int,
) -> None:
    """Put back what `moments` gave for every model, after `step` steps."""
    for name, parameter in parameters.items():
        state = {which: torch.zeros_like(parameter) for which in MOMENTS}
        for index, held in enumerate(each):
            for which in MOMENTS:
                state[which][index].copy_(torch.from_numpy(held[f"{which}/{name}"]))
        optimizer.state[parameter] = {"step": torch.tensor(float(step)), **state}

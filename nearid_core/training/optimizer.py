"""Adam with decoupled weight decay over stacked models, and its moments one model at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

MOMENTS = ("exp_avg", "exp_avg_sq")


def adam(flat: Mapping[str, Tensor], weight_decay: float) -> torch.optim.AdamW:
    """Matrices decay, W *= 1 - lr * weight_decay, and biases do not. flat : as in `Stack`."""
    decay = {"matrices": weight_decay, "biases": 0.0}
    return torch.optim.AdamW([{"params": [values], "weight_decay": decay[kind]} for kind, values in flat.items()])


def moments(optimizer: torch.optim.Optimizer, flat: Mapping[str, Tensor], index: int) -> dict[str, np.ndarray]:
    """Both moments of one model, (values,) each, keyed ``matrices/exp_avg`` and so on."""
    return {
        f"{kind}/{which}": optimizer.state[values][which][index].cpu().numpy().copy()
        for kind, values in flat.items()
        for which in MOMENTS
    }


def load_moments(
    optimizer: torch.optim.Optimizer, flat: Mapping[str, Tensor], each: Sequence[Mapping[str, np.ndarray]], step: int
) -> None:
    """Put back what `moments` gave for every model, after `step` steps."""
    for kind, values in flat.items():
        state = {which: torch.zeros_like(values) for which in MOMENTS}
        for index, held in enumerate(each):
            for which in MOMENTS:
                state[which][index].copy_(torch.from_numpy(held[f"{kind}/{which}"]))
        optimizer.state[values] = {"step": torch.tensor(float(step)), **state}

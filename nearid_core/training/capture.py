"""What each layer of a trained model says about each sample."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch

from nearid_core.training.chunks import samples_at_once


@torch.no_grad()
def capture(model: Any, features: np.ndarray, layers: Iterable[str], device: str) -> dict[str, np.ndarray]:
    """Layer name to (N, width) float32, in the order of `layers`; features : (N, D) float32."""
    wanted = list(layers)
    chunks: dict[str, list[np.ndarray]] = {name: [] for name in wanted}
    for part in torch.from_numpy(features).split(samples_at_once(features.shape[1])):
        found = model.layers(part.to(device))
        for name in wanted:
            chunks[name].append(found[name].flatten(1).float().cpu().numpy())
    return {name: np.concatenate(parts) for name, parts in chunks.items()}

"""What each layer of a trained model says about each sample."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch

_CHUNK = 4096  # samples that pass through the model at a time


@torch.no_grad()
def capture(model: Any, features: np.ndarray, layers: Iterable[str], device: str) -> dict[str, np.ndarray]:
    """Layer name to (N, width) float32, in the order of `layers`; features : (N, D) float32."""
    wanted = list(layers)
    chunks: dict[str, list[np.ndarray]] = {name: [] for name in wanted}
    for part in torch.from_numpy(features).split(_CHUNK):
        found = model.layers(part.to(device))
        for name in wanted:
            chunks[name].append(found[name].flatten(1).float().cpu().numpy())
    return {name: np.concatenate(parts) for name, parts in chunks.items()}

"""The record of a trained run: what made it, on what, in how much time."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
import torch

import nearid_core
from nearid_core.datasets import Dataset
from nearid_core.training.config import TrainConfig
from nearid_core.training.fit import Fit


def describe_dataset(dataset: Dataset) -> dict[str, Any]:
    return {
        "name": dataset.name,
        "digest": dataset.digest,
        "label": dataset.label,
        "factors": list(dataset.factor_names),
        "image_shape": None if dataset.image_shape is None else list(dataset.image_shape),
        "n_features": dataset.features.shape[1],
        "n": len(dataset),
        "options": dict(dataset.options),
        **dataset.roles,
    }


def describe_run(fit: Fit, index: int, dataset: Dataset) -> dict[str, Any]:
    """What `Run` reads, but for how it ended: status, and metrics or reason."""
    config, seed = fit.config, fit.seeds[index]
    return {
        "id": config.run_id(seed),
        "set": config.set_id,
        "title": config.title,
        "seed": seed,
        "config": config.to_dict(),
        "dataset": describe_dataset(dataset),
        "plan": fit.plan.describe() | {"seeds": fit.seeds},
        "versions": {
            "python": platform.python_version(),
            "numpy": np.__version__,
            "torch": torch.__version__,
            "nearid": nearid_core.__version__,
        },
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(fit.seconds, 3),
        "cpu_seconds": round(fit.cpu_seconds, 3),
    }


def stopped_reason(config: TrainConfig, seed: int, step: int, total: int) -> str:
    return (
        f"The loss of seed {seed} was not finite at step {step:,} of {total:,}; train again with a learning rate "
        f"below {config.learning_rate:g}."
    )


def name_seeds(seeds: Sequence[int]) -> str:
    """``seed 3``, ``seeds 0 to 7`` or ``seeds 0, 2 and 5``."""
    *most, last = (str(seed) for seed in seeds)
    if not most:
        return f"seed {last}"
    if seeds[-1] - seeds[0] == len(most) and len(most) > 1:
        return f"seeds {most[0]} to {last}"
    return f"seeds {', '.join(most[:10])}{' ...' if len(most) > 10 else ''} and {last}"

"""Training one or many seeds of a configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nearid_core.training.config import TRAIN_OPTIONS, TrainConfig
from nearid_core.training.seeds import parse_seeds

if TYPE_CHECKING:
    from nearid_core.training.train_runs import train

__all__ = ["TRAIN_OPTIONS", "TrainConfig", "parse_seeds", "train"]


def __getattr__(name: str) -> Any:
    if name == "train":  # the only name here that needs torch
        from nearid_core.training.train_runs import train

        return train
    raise AttributeError(f"module 'nearid_core.training' has no attribute {name!r}")

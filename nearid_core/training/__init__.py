"""Training one or many seeds of a configuration."""

from nearid_core.training.config import TRAIN_OPTIONS, TrainConfig

__all__ = ["TRAIN_OPTIONS", "TrainConfig"]

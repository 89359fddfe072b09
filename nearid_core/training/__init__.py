"""Training one or many seeds of a configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nearid_core.lazy import loader
from nearid_core.training.config import TRAIN_OPTIONS, TrainConfig
from nearid_core.training.seeds import parse_seeds

if TYPE_CHECKING:
    from nearid_core.training.stored_model import load_model
    from nearid_core.training.train_runs import train

__all__ = ["TRAIN_OPTIONS", "TrainConfig", "load_model", "parse_seeds", "train"]

__getattr__ = loader(__name__, {"stored_model": ["load_model"], "train_runs": ["train"]})  # what needs torch

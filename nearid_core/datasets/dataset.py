"""What models learn from and are judged on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import pandas as pd

from nearid_core.digest import array_digest, json_digest, text_digest
from nearid_core.options import Option
from nearid_core.registry import Registry


@dataclass(frozen=True, eq=False)
class Dataset:
    """Samples, one row each, with what is known about them.

    name : the registered name; options : the settings it was made with.
    features : (N, D) float32, what a model sees.
    samples : DataFrame of N rows: ``sample_id`` (str, unique), ``split`` ("train" or "test"), then factors and
        whatever else is known.
    factor_names : columns of `samples` that generated the features, as far as they are known.
    label : the column with a sample's class, where it has one; controls shuffle within it.
    image_shape : (channels, height, width) when a row of `features` is an image, else None.
    roles : which columns are ``batch``, ``group``, ``position`` ..., and which rows are controls, as an import records
        them (`exchange.Mapping`).
    """

    name: str
    features: np.ndarray
    samples: pd.DataFrame
    factor_names: tuple[str, ...] = ()
    label: str | None = None
    image_shape: tuple[int, int, int] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    roles: Mapping[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.features)

    @property
    def images(self) -> np.ndarray | None:
        """(N, channels, height, width) float32 in [0, 1], or None where samples are not images."""
        return None if self.image_shape is None else self.features.reshape(len(self), *self.image_shape)

    @property
    def sample_shape(self) -> tuple[int, ...]:
        """(channels, height, width) of an image, or (features,)."""
        return self.image_shape or self.features.shape[1:]

    @cached_property
    def digest(self) -> str:
        """Changes when a feature, an id or the split changes."""
        return json_digest(
            [
                array_digest(self.features),
                text_digest(self.samples["sample_id"].astype(str)),
                text_digest(self.samples["split"].astype(str)),
            ]
        )

    def describe(self) -> str:
        """One line: how many samples, of what, split how, with which factors."""
        width = self.features.shape[1]
        shape = "x".join(str(side) for side in self.image_shape) if self.image_shape else f"{width} features"
        split = self.samples["split"].value_counts()
        factors = ", ".join(self.factor_names) or "none known"
        return (
            f"{self.name}: {len(self):,} samples of {shape}; {split.get('train', 0):,} to train on, "
            f"{split.get('test', 0):,} held back; factors: {factors}"
        )


class DatasetSource(Protocol):
    """What the registry holds: enough for a menu, and a way to load.

    options : what it takes; ``n`` and ``data_seed`` are always among them.
    default_epochs : passes after which the families here have usually converged on it.
    """

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...

    @property
    def options(self) -> tuple[Option, ...]: ...

    @property
    def default_epochs(self) -> int: ...

    def load(self, *, n: int | None, data_seed: int, **options: Any) -> Dataset:
        """The dataset of these settings, all of them checked already; `options` are those it declares."""
        ...


DATASETS: Registry[DatasetSource] = Registry("dataset")

DATA_SEED = Option("data_seed", 0, int, "Draws which samples there are and which of them are held back.", 0, 2**32 - 1)

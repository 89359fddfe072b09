"""What a network is trained on: the samples of a dataset, or their projections by a stem."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nearid_core.datasets import Dataset
from nearid_core.digest import json_digest
from nearid_core.training.config import TrainConfig
from nearid_core.training.stem import Stem


@dataclass(frozen=True, eq=False)
class NetworkInputs:
    """Samples split as the dataset says.

    train, test : (n, features of the network) float32. shape : of one of them, as in `Family`.
    stem : what projected them, where something did.
    """

    dataset: Dataset
    train: np.ndarray
    test: np.ndarray
    shape: tuple[int, ...]
    stem: Stem | None

    @classmethod
    def of(cls, config: TrainConfig, dataset: Dataset) -> NetworkInputs:
        trains = (dataset.samples["split"] == "train").to_numpy()
        train, test = dataset.features[trains], dataset.features[~trains]
        if config.stem == 0:
            return cls(dataset, train, test, dataset.sample_shape, None)
        stem = Stem.fit(train, config.stem)
        return cls(dataset, stem.project(train), stem.project(test), (config.stem,), stem)

    @property
    def digest(self) -> str:
        """What two trainings have to share for one to go on where the other stopped."""
        return self.dataset.digest if self.stem is None else json_digest([self.dataset.digest, self.stem.digest])

"""Handwritten digits, 8 by 8 pixels, as they ship with scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from nearid_core.datasets.dataset import DATA_SEED, DATASETS, Dataset
from nearid_core.datasets.split import hash_order, split_column
from nearid_core.options import Option

TOTAL = 1797
TEST_SHARE = 0.45  # generous: alignment is fitted on one half of the test samples and read on the other
WHITE = 16.0  # a pixel counts the dark points of a 4 by 4 block


@dataclass(frozen=True)
class Digits:
    """1,797 digits by 43 writers; the label is the one known factor.

    Source: Alpaydin and Kaynak (1998), Optical Recognition of Handwritten Digits (its test part), UCI, CC BY 4.0.
    """

    name: str = "digits"
    description: str = "1,797 real handwritten digits, 8 x 8 pixels, with their label (scikit-learn)"
    default_epochs: int = 360  # 2,520 steps of 128
    options: tuple[Option, ...] = (
        Option("n", None, int, "How many of the 1,797 digits to use. Empty: all of them.", 20, TOTAL, optional=True),
        DATA_SEED,
    )

    def load(self, *, n: int | None, data_seed: int, **options: Any) -> Dataset:
        from sklearn.datasets import load_digits

        loaded = load_digits()
        every_id = [f"digit-{row:04d}" for row in range(TOTAL)]
        rows = np.sort(hash_order(every_id, data_seed, "subset")[:n])
        ids = [every_id[row] for row in rows]
        samples = pd.DataFrame(
            {
                "sample_id": ids,
                "split": split_column(ids, data_seed, TEST_SHARE),
                "digit": loaded.target[rows].astype(np.int64),
            }
        )
        return Dataset(
            name=self.name,
            features=(loaded.data[rows] / WHITE).astype(np.float32),
            samples=samples,
            factor_names=("digit",),
            label="digit",
            image_shape=(1, 8, 8),
            options={"n": n, "data_seed": data_seed},
        )


DIGITS = DATASETS.register(Digits())

"""What decides a batch report besides the table."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from nearid_core.batches.columns import Columns, resolve

DEFAULT_SPACES = ("base", "pca", "pca_ica", "pca_random")


@dataclass(frozen=True)
class Settings:
    """The arguments of `batch_report`."""

    batch: str
    label: str | None = None
    control: str | None = None
    group: str | None = None
    position: str | None = None
    level: str | None = None
    spaces: tuple[str, ...] = DEFAULT_SPACES
    drop: tuple[int, ...] | None = None
    n_components: int | None = None
    transductive: bool = False
    split_seed: int = 0

    def columns(self, samples: pd.DataFrame) -> Columns:
        """Raises InvalidInput for a column that is not there."""
        roles = ("label", "control", "group", "position", "level")
        return resolve(samples, batch=self.batch, **{role: getattr(self, role) for role in roles})

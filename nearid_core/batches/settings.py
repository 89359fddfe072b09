"""What decides a batch report besides the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import pandas as pd

from nearid_core.batches.columns import Columns, resolve
from nearid_core.errors import InvalidInput
from nearid_core.registry import unknown

DEFAULT_SPACES = ("base", "pca", "pca_ica", "pca_random")


@dataclass(frozen=True)
class Settings:
    """The arguments of `batch_report`."""

    batch: str
    label: str | None = None
    control: str | None = None
    group: str | None = None
    position: str | None = None
    mechanism: str | None = None
    level: str | None = None
    spaces: tuple[str, ...] = DEFAULT_SPACES
    drop: tuple[int, ...] | None = None
    n_components: int | None = None
    transductive: bool = False
    classify: bool = True
    split_seed: int = 0

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Settings:
        """From JSON types. Raises InvalidInput for a setting that there is not."""
        known = [field.name for field in fields(cls)]
        for name in stored:
            if name not in known:
                raise InvalidInput(unknown("setting of a batch report", name, known))
        values: dict[str, Any] = {n: tuple(v) if isinstance(v, list) else v for n, v in stored.items()}
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """In JSON types."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    def columns(self, samples: pd.DataFrame) -> Columns:
        """Raises InvalidInput for a column that is not there."""
        roles = ("label", "control", "group", "position", "mechanism", "level")
        return resolve(samples, batch=self.batch, **{role: getattr(self, role) for role in roles})

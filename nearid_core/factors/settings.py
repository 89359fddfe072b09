"""What decides a factor report of a run besides the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import pandas as pd

from nearid_core.errors import InvalidInput
from nearid_core.registry import unknown
from nearid_core.runs import Run

DEFAULT_SCORES = ("infomec", "mcc", "mig", "sap")
DEFAULT_SPACES = ("raw", "pca", "random", "ica")
_ROLES = ("sample_id", "split")


@dataclass(frozen=True)
class Settings:
    """factors : columns of the samples; unordered : those of them whose numbers are only names.

    samples : ``test``, those that the model did not train on, or ``all``.
    """

    factors: tuple[str, ...]
    unordered: tuple[str, ...] = ()
    scores: tuple[str, ...] = DEFAULT_SCORES
    spaces: tuple[str, ...] = DEFAULT_SPACES
    bins: int = 20
    variant: str = "reference"
    samples: str = "test"
    split_seed: int = 0

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Settings:
        """From JSON types. Raises InvalidInput for a setting that there is not."""
        known = [field.name for field in fields(cls)]
        for name in stored:
            if name not in known:
                raise InvalidInput(unknown("setting of a factor report", name, known))
        values: dict[str, Any] = {n: tuple(v) if isinstance(v, list) else v for n, v in stored.items()}
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """In JSON types."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


def settings_of(run: Run, factors: Sequence[str] | None = None, **given: Any) -> Settings:
    """The settings of a run's report: its dataset's own factors, or those named.

    Raises InvalidInput for a column that is not there, or where nothing says what the factors are.
    """
    chosen = default_factors(run) if factors is None else tuple(factors)
    for name in chosen:
        if name not in run.samples:
            raise InvalidInput(unknown(f"column of the samples of run {run.id}", name, run.samples.columns))
    if not chosen:
        raise InvalidInput(
            f"Nothing is known of the factors behind run {run.id}; name columns of its samples: "
            f"{', '.join(possible_factors(run)) or 'there are none that could be one'}."
        )
    unordered = tuple(name for name in chosen if name == run.label)
    return Settings(chosen, unordered, **{name: value for name, value in given.items() if value is not None})


def default_factors(run: Run) -> tuple[str, ...]:
    """The factors that the dataset is made from, else its label, as far as samples have them."""
    known = run.dataset.get("factors") or ([run.label] if run.label else [])
    return tuple(name for name in known if name in run.samples)


def possible_factors(run: Run) -> list[str]:
    """Columns of the samples that could be a factor: with two values or more, that are not one of a kind each."""
    table = run.samples
    return [str(name) for name in table.columns if name not in _ROLES and _could_be(table[name])]


def _could_be(column: pd.Series) -> bool:
    known = column.dropna()
    different = known.nunique()
    return different > 1 and (pd.api.types.is_numeric_dtype(known) or 2 * different <= len(known))

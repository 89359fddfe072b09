"""What a batch report knows of each row: its batch, label, control, group and position."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from nearid_core.errors import InvalidInput
from nearid_core.exchange.mapping import LEVELS
from nearid_core.registry import unknown

MISSING = -1  # the code of a row whose value is empty


@dataclass(frozen=True, eq=False)
class Factor:
    """A column as codes.

    name : the column; codes : (N,) int, `MISSING` where the value is empty; values : (G,) str, sorted.
    """

    name: str
    codes: np.ndarray
    values: np.ndarray

    def __len__(self) -> int:
        return len(self.values)

    @property
    def known(self) -> np.ndarray:
        """(N,) bool, rows with a value."""
        return self.codes != MISSING

    @property
    def texts(self) -> np.ndarray:
        """(N,) str, empty where the value is."""
        return np.append(self.values, "")[self.codes]  # `MISSING` is the last one

    def take(self, rows: np.ndarray) -> Factor:
        """Some rows; values that no row has any more are left out."""
        kept, codes = np.unique(self.codes[rows], return_inverse=True)
        shift = int(MISSING in kept)
        return Factor(self.name, codes - shift, self.values[kept[shift:]])

    @classmethod
    def of(cls, name: str, values: pd.Series) -> Factor:
        empty = values.isna().to_numpy() | (values.astype(str) == "").to_numpy()
        texts = values.astype(str).to_numpy().astype(str)
        found, codes = np.unique(texts[~empty], return_inverse=True)
        every = np.full(len(values), MISSING)
        every[~empty] = codes
        return cls(name, every, found)


@dataclass(frozen=True, eq=False)
class Columns:
    """The columns with a role, resolved; N rows each.

    batch : the technical unit; every row has one.
    label : the biology, None where there is no such column; rows may have none.
    control : (N,) bool, negative controls; None where none are named. control_name : how they were named.
    group : rows of one value are not independent and are never on both sides of a split.
    position : the well.
    mechanism : what several labels have in common, for retrieval.
    level : what a row is (cell, field, well, replicate, consensus), as far as it was said.
    """

    batch: Factor
    label: Factor | None = None
    control: np.ndarray | None = None
    control_name: str = ""
    group: Factor | None = None
    position: Factor | None = None
    mechanism: Factor | None = None
    level: str | None = None

    def __len__(self) -> int:
        return len(self.batch.codes)

    @property
    def is_control(self) -> np.ndarray:
        """(N,) bool, no row where no controls are named."""
        return np.zeros(len(self), bool) if self.control is None else self.control

    def take(self, rows: np.ndarray) -> Columns:
        rows = np.flatnonzero(rows) if rows.dtype == bool else rows
        return Columns(
            batch=self.batch.take(rows),
            label=self.label and self.label.take(rows),
            control=None if self.control is None else self.control[rows],
            control_name=self.control_name,
            group=self.group and self.group.take(rows),
            position=self.position and self.position.take(rows),
            mechanism=self.mechanism and self.mechanism.take(rows),
            level=self.level,
        )

    @property
    def names(self) -> dict[str, str | None]:
        """The columns' names by role."""
        factors = {"batch": self.batch, "label": self.label, "group": self.group, "position": self.position}
        return {role: None if one is None else one.name for role, one in factors.items()} | {
            "control": self.control_name or None
        }


def resolve(
    samples: pd.DataFrame,
    *,
    batch: str,
    label: str | None = None,
    control: str | None = None,
    group: str | None = None,
    position: str | None = None,
    mechanism: str | None = None,
    level: str | None = None,
) -> Columns:
    """Look the columns up.

    samples : N rows; batch, label, group, position, mechanism : names of its columns.
    control : a value of `label`, or ``COLUMN=VALUE``. Control rows without a label get the control's value as one.

    Raises InvalidInput for a column or value that is not there, empty batches, and fewer than two batches.
    """
    batches = Factor.of(batch, _column(samples, batch, "batch"))
    if not batches.known.all():
        raise InvalidInput(
            f"Column {batch} is empty in {int((~batches.known).sum()):,} of {len(samples):,} rows; every row needs a "
            f"batch, so drop those rows first."
        )
    if len(batches) < 2:
        raise InvalidInput(
            f"Column {batch} has one value, {str(batches.values[0])!r}, in all {len(samples):,} rows; two are needed "
            f"to tell batch from biology."
        )
    labels = None if label is None else _column(samples, label, "label")
    mask, name, value = _controls(samples, labels, label, control)
    if labels is not None and mask is not None:
        labels = labels.astype(object).where(~(labels.isna() & mask), value)
    found = None if label is None or labels is None else Factor.of(label, labels)
    if found is not None and len(found) < 2:
        what = f"has one value, {str(found.values[0])!r}," if len(found) else "is empty"
        raise InvalidInput(
            f"Column {label} {what} in all {len(samples):,} rows; a label needs two values, or none is given."
        )
    if level is not None and level not in LEVELS:
        raise InvalidInput(unknown("level", level, LEVELS))
    return Columns(
        batch=batches,
        label=found,
        control=mask,
        control_name=name,
        group=None if group is None else Factor.of(group, _column(samples, group, "group")),
        position=None if position is None else Factor.of(position, _column(samples, position, "position")),
        mechanism=None if mechanism is None else Factor.of(mechanism, _column(samples, mechanism, "mechanism")),
        level=level,
    )


def _column(samples: pd.DataFrame, name: str, role: str) -> pd.Series:
    if name not in samples:
        raise InvalidInput(unknown(f"column for {role}", name, map(str, samples.columns)))
    return samples[name]


def _controls(
    samples: pd.DataFrame, labels: pd.Series | None, label: str | None, control: str | None
) -> tuple[np.ndarray | None, str, str]:
    """The control rows, how they are called, and the value that makes one."""
    if control is None:
        return None, "", ""
    if labels is not None and (labels.astype(str) == control).any():
        return (labels.astype(str) == control).to_numpy(), f"{label}={control}", control
    column, equals, value = control.partition("=")
    if not equals:
        known = [] if labels is None else sorted(labels.dropna().astype(str).unique())[:20]
        raise InvalidInput(
            f"No row of {label or 'the samples'} is {control!r}; name a value of the label (such as "
            f"{', '.join(known) or 'none, since no label is given'}) or COLUMN=VALUE."
        )
    mask = (_column(samples, column, "control").astype(str) == value).to_numpy()
    if not mask.any():
        raise InvalidInput(f"No row has {value!r} in column {column}; check the control {control!r}.")
    return mask, control, value

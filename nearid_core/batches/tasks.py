"""Which rows a classifier learns from and which it is judged on, with one batch left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nearid_core.batches.columns import Columns
from nearid_core.components.sampling import drawn
from nearid_core.components.shuffles import shuffled_within

MAX_FOLDS = 10
MAX_LABELS = 30
TRAIN_PER_CLASS = 250
_FEWEST = 2  # rows of each class to train on


@dataclass(frozen=True, eq=False)
class Fold:
    """One batch left out.

    test : its rows; train : all rows but those, and but every row of a group that it shares.
    """

    batch: str
    train: np.ndarray
    test: np.ndarray


@dataclass(frozen=True, eq=False)
class Task:
    """One label against the controls, in one fold.

    train, test : positions of rows; train_class, test_class : True for the label, False for control (for all other
        labels where there are no controls). permuted : `train_class` permuted within each batch.
    skipped : why it cannot be judged, or empty.
    """

    label: str
    train: np.ndarray
    train_class: np.ndarray
    permuted: np.ndarray
    test: np.ndarray
    test_class: np.ndarray
    skipped: str = ""


def leave_one_out(columns: Columns, seed: int = 0, limit: int = MAX_FOLDS) -> list[Fold]:
    """A fold a batch, of at most `limit` batches, drawn with the seed where there are more."""
    folds = []
    for code in drawn(np.arange(len(columns.batch)), limit, seed):
        test = columns.batch.codes == code
        train = ~test
        if columns.group is not None:
            touched = np.unique(columns.group.codes[test & columns.group.known])
            train &= ~np.isin(columns.group.codes, touched)
        folds.append(Fold(str(columns.batch.values[code]), np.flatnonzero(train), np.flatnonzero(test)))
    return folds


def judged_labels(columns: Columns, seed: int = 0, limit: int = MAX_LABELS) -> list[int]:
    """Codes of the labels that are judged: those of rows that are no controls, at most `limit`, drawn with the seed."""
    if columns.label is None:
        return []
    codes = np.unique(columns.label.codes[columns.label.known & ~columns.is_control])
    return [int(code) for code in drawn(codes, limit, seed)]


def make_task(columns: Columns, fold: Fold, label: int, seed: int) -> Task:
    """The rows of one label and its counterpart; at most 250 of each to train on, drawn with the seed."""
    assert columns.label is not None
    positive = (columns.label.codes == label) & ~columns.is_control
    negative = columns.label.known & ~positive if columns.control is None else columns.control
    name = str(columns.label.values[label])
    sides = [(np.flatnonzero(positive[rows]), np.flatnonzero(negative[rows])) for rows in (fold.train, fold.test)]
    (train_yes, train_no), (test_yes, test_no) = sides
    skipped = _reason(fold, len(train_yes), len(train_no), len(test_yes), len(test_no))
    yes, no = (drawn(rows, TRAIN_PER_CLASS, seed) for rows in (train_yes, train_no))
    train = fold.train[np.concatenate([yes, no])]
    train_class = np.repeat([True, False], [len(yes), len(no)])
    return Task(
        label=name,
        train=train,
        train_class=train_class,
        permuted=train_class[shuffled_within(columns.batch.codes[train], np.random.default_rng(seed))],
        test=fold.test[np.concatenate([test_yes, test_no])],
        test_class=np.repeat([True, False], [len(test_yes), len(test_no)]),
        skipped=skipped,
    )


def _reason(fold: Fold, train_yes: int, train_no: int, test_yes: int, test_no: int) -> str:
    if not test_yes or not test_no:
        return f"batch {fold.batch} has {test_yes} rows of the label and {test_no} to tell it from"
    if train_yes < _FEWEST or train_no < _FEWEST:
        return f"the batches beside {fold.batch} have {train_yes} rows of the label and {train_no} to tell it from"
    return ""

"""Does a difference between control and perturbed samples hold on a batch that was never seen?"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from nearid_core.batches.classifier import PENALTIES, Classifier, learn
from nearid_core.batches.columns import Columns
from nearid_core.batches.position import position_features
from nearid_core.batches.spaces import FittedSpace
from nearid_core.batches.sparsity import hoyer
from nearid_core.batches.tasks import Fold, Task, judged_labels, leave_one_out, make_task
from nearid_core.progress import Progress, ProgressCallback, ignore

POSITION = "position"

FitSpaces = Callable[[np.ndarray], Sequence[FittedSpace]]
"""The spaces, fitted on rows of these positions."""


def cross_batch(
    columns: Columns,
    fit: FitSpaces,
    *,
    seed: int = 0,
    on_progress: ProgressCallback = ignore,
) -> pd.DataFrame:
    """One row a (space, draw, penalty, label, left-out batch).

    fit : called once a fold, with the positions of its training rows.

    ``auroc`` of a class-balanced logistic regression of the perturbed against the controls (against all others where
    there are no controls), trained on the other batches; ``auroc_permuted`` of one that learned from labels permuted
    within their batch; ``hoyer`` of the weights; ``skipped``, why there is neither. Space ``position`` sees the well
    alone; of its two encodings the better one counts, so it is a null that is hard to beat.
    """
    folds, labels = leave_one_out(columns, seed), judged_labels(columns, seed)
    began, rows = time.monotonic(), []
    for number, fold in enumerate(folds):
        on_progress(Progress(f"Leaving out {fold.batch}", number, len(folds), time.monotonic() - began))
        tasks = [make_task(columns, fold, label, seed) for label in labels]
        rows += _skipped(fold, tasks)
        tasks = [task for task in tasks if not task.skipped]
        rows += _judged(columns, fold, tasks, fit) if tasks else []
    return pd.DataFrame(rows)


def _judged(columns: Columns, fold: Fold, tasks: Sequence[Task], fit: FitSpaces) -> list[dict[str, object]]:
    needed = np.unique(np.concatenate([part for task in tasks for part in (task.train, task.test)]))
    rows: list[dict[str, object]] = []
    unturned: dict[tuple[str, bool], Classifier] = {}  # L2 on whitened coordinates, the same for all their rotations
    for space in fit(fold.train):
        coordinates = space.at(needed)
        for penalty in PENALTIES:
            known = unturned if penalty == "l2" and space.rotation is not None else None
            for task in tasks:
                found = _one(coordinates, needed, task, penalty, space, known)
                rows.append(_row(fold, task, space.name, space.draw, penalty, found))
    if columns.position is not None:
        rows += _by_position(columns.position.texts[needed], needed, fold, tasks)
    return rows


def _one(
    coordinates: np.ndarray,
    needed: np.ndarray,
    task: Task,
    penalty: str,
    space: FittedSpace,
    known: dict[tuple[str, bool], Classifier] | None,
) -> dict[str, float]:
    train, test = np.searchsorted(needed, task.train), np.searchsorted(needed, task.test)

    def judge(classes: np.ndarray, permuted: bool) -> tuple[float, Classifier]:
        if known is None or space.rotation is None:
            learned = learn(coordinates[train], classes, penalty)
        else:
            key = (task.label, permuted)
            if key not in known:
                known[key] = learn(coordinates[train], classes, penalty).turned(space.rotation.T)
            learned = known[key].turned(space.rotation)
        return learned.auroc(coordinates[test], task.test_class), learned

    auroc, learned = judge(task.train_class, permuted=False)
    found = {"auroc": auroc, "hoyer": float(hoyer(learned.weights))}
    return found if space.draw else found | {"auroc_permuted": judge(task.permuted, permuted=True)[0]}


def _by_position(wells: np.ndarray, needed: np.ndarray, fold: Fold, tasks: Sequence[Task]) -> list[dict[str, object]]:
    encodings, rows = position_features(wells), []
    for task in tasks:
        train, test = np.searchsorted(needed, task.train), np.searchsorted(needed, task.test)
        best = max(
            learn(features[train], task.train_class, "l2").auroc(features[test], task.test_class)
            for features in encodings
        )
        rows.append(_row(fold, task, POSITION, 0, "l2", {"auroc": best}))
    return rows


def _skipped(fold: Fold, tasks: Sequence[Task]) -> list[dict[str, object]]:
    return [_row(fold, task, "", 0, "", {"skipped": task.skipped}) for task in tasks if task.skipped]


def _row(
    fold: Fold, task: Task, space: str, draw: int, penalty: str, found: dict[str, float] | dict[str, str]
) -> dict[str, object]:
    absent = {"auroc": np.nan, "auroc_permuted": np.nan, "hoyer": np.nan, "skipped": ""}
    place = {"space": space, "draw": draw, "penalty": penalty, "label": task.label, "batch": fold.batch}
    return {**place, **absent, **found}

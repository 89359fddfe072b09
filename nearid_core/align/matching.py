"""The same samples in every representation, split into fit and held-out rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from nearid_core.components.of_run import chosen_rows, row_groups
from nearid_core.components.split import heldout_mask
from nearid_core.components.whitening import check_finite
from nearid_core.errors import InvalidInput, SampleMismatch
from nearid_core.registry import unknown
from nearid_core.runs import Representation, Run

_FEWEST = 4  # samples below which there is nothing to fit and nothing to hold out


@dataclass(frozen=True, eq=False)
class Matched:
    """Representations of the same samples, row by row.

    names : what each is called in tables; values : one (N, D) array each.
    heldout : (N,) bool; labels : (N,) class codes, or None; label : the name of the class column.
    notes : what a reader has to know about how they were matched.
    """

    names: tuple[str, ...]
    values: tuple[np.ndarray, ...]
    sample_ids: np.ndarray
    heldout: np.ndarray
    labels: np.ndarray | None
    label: str | None
    notes: tuple[str, ...]


def match_runs(runs: Sequence[Run], layer: str, samples: str, label: str | None, split_seed: int) -> Matched:
    """Match runs by sample id, on the samples that they did not train on (``samples="test"``) or on all of them.

    Raises SampleMismatch when two runs do not hold the same samples or the same data, InvalidInput for a failed run, an
    unknown layer or label column, or NaN.
    """
    for run in runs:
        if run.status != "done":
            raise InvalidInput(f"Run {run.id} has no representations: it {run.status} ({run.reason}); leave it out.")
    _check_same_data(runs)
    chosen = [chosen_rows(run, samples) for run in runs]
    representations = [run.representation(layer).take(rows) for run, rows in zip(runs, chosen, strict=True)]
    labels, label = _run_labels(runs[0], chosen[0], label)
    groups = row_groups(runs[0], chosen[0])
    return _match(representations, labels, label, split_seed, _which_samples(runs[0], samples), groups)


def match_representations(
    representations: Sequence[Representation], labels: Sequence[Any] | None, split_seed: int
) -> Matched:
    """Match by sample id, or by row where there are no ids; labels are in the order of the first one's rows."""
    codes = None
    if labels is not None:
        codes = pd.factorize(np.asarray(labels))[0]
        if codes.shape != (len(representations[0].values),):
            raise InvalidInput(
                f"There are {codes.size} labels for {len(representations[0].values)} samples; expected one a sample."
            )
    return _match(representations, codes, None if labels is None else "label", split_seed, ())


def _match(
    representations: Sequence[Representation],
    labels: np.ndarray | None,
    label: str | None,
    split_seed: int,
    notes: tuple[str, ...],
    groups: np.ndarray | None = None,
) -> Matched:
    first = representations[0]
    for representation in representations:
        check_finite(np.asarray(representation.values), representation.name)
    values = [first.values, *(_in_order_of(first, other) for other in representations[1:])]
    by_row = any(one.sample_ids is None for one in representations)
    if by_row:
        notes = (*notes, "Samples have no ids here: rows are matched by their position.")
    ids = np.arange(len(first.values)).astype(str) if first.sample_ids is None else np.asarray(first.sample_ids)
    heldout = heldout_mask(ids if groups is None else groups, split_seed)
    if groups is not None and (heldout.all() or not heldout.any()):
        raise InvalidInput(
            f"{first.name} has {len(set(groups))} groups of rows, and split seed {split_seed} puts them all on one "
            f"side; try another split seed."
        )
    if len(ids) < _FEWEST or heldout.all() or not heldout.any():
        raise InvalidInput(f"{first.name} has {len(ids)} samples; too few to fit on one half and judge on the other.")
    return Matched(_names(representations), tuple(values), ids, heldout, labels, label, notes)


def _in_order_of(first: Representation, other: Representation) -> np.ndarray:
    """Rows of `other` in the order of `first`; SampleMismatch names the first ids that differ."""
    if first.sample_ids is None or other.sample_ids is None:
        if len(first.values) != len(other.values):
            raise SampleMismatch(
                f"{first.name} has {len(first.values)} rows and {_inside(other.name)} has {len(other.values)}; "
                f"expected the same samples in both, one row each."
            )
        return other.values
    wanted, found = np.asarray(first.sample_ids), np.asarray(other.sample_ids)
    if len(wanted) == len(found) and (wanted == found).all():
        return other.values
    missing, extra = np.setdiff1d(wanted, found), np.setdiff1d(found, wanted)
    if len(missing) or len(extra):
        shown = [
            f"{str(ids[0])!r} is only in {_inside(where.name)}"
            for ids, where in ((missing, first), (extra, other))
            if len(ids)
        ]
        raise SampleMismatch(
            f"{first.name} and {_inside(other.name)} do not hold the same samples ({len(missing)} and {len(extra)} are "
            f"in one only): {', '.join(shown)}; compare runs of the same data."
        )
    return other.values[pd.Index(found).get_indexer(pd.Index(wanted))]


def _inside(name: str) -> str:
    return name[:1].lower() + name[1:]


def _check_same_data(runs: Sequence[Run]) -> None:
    first = runs[0]
    for other in runs[1:]:
        digests = first.dataset.get("digest"), other.dataset.get("digest")
        if None not in digests and digests[0] != digests[1] and first.dataset["name"] == other.dataset["name"]:
            raise SampleMismatch(
                f"Runs {first.id} and {other.id} were trained on different {first.dataset['name']} data (their options "
                f"or seeds differ), so equal sample ids do not mean equal samples; compare runs of the same data."
            )


def _which_samples(run: Run, samples: str) -> tuple[str, ...]:
    if samples == "test" and "split" in run.samples and (run.samples["split"] == "test").any():
        return ()
    if run.config is None:
        return ("Which of these samples the models were trained on is not known here.",)
    return ("The samples compared include those that the models were trained on.",)


def _run_labels(run: Run, rows: np.ndarray, label: str | None) -> tuple[np.ndarray | None, str | None]:
    label = run.label if label is None else label
    if label is None:
        return None, None
    if label not in run.samples:
        raise InvalidInput(unknown(f"column of the samples of run {run.id}", label, run.samples.columns))
    return pd.factorize(run.samples[label].to_numpy()[rows])[0], label


def _names(representations: Sequence[Representation]) -> tuple[str, ...]:
    """The run ids; letters for arrays, and for runs that are not told apart."""
    names = tuple(one.run or "" for one in representations)
    if len(set(names)) == len(names) and all(names):
        return names
    return tuple(chr(ord("a") + i) if i < 26 else f"array {i}" for i in range(len(representations)))

"""Batch against biology: which components are batch, what dropping them costs, and whether it holds on new batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from nearid_core.batches.area import advantages, areas
from nearid_core.batches.columns import Columns
from nearid_core.batches.components_table import component_rows
from nearid_core.batches.corrected_spaces import FittedSpace, fit_spaces
from nearid_core.batches.correction import checked_drop
from nearid_core.batches.cross_batch import cross_batch
from nearid_core.batches.design import check_design, independent_units
from nearid_core.batches.fit_rows import COMPONENTS_MAX, FitRows
from nearid_core.batches.generalisation import by_label, by_space
from nearid_core.batches.halves import Halved
from nearid_core.batches.kept import KEPT, kept_space
from nearid_core.batches.mixing import mixing_scores
from nearid_core.batches.notes import SCORED_ROWS, notes, position_note
from nearid_core.batches.removal import most_first, removal_curve
from nearid_core.batches.report import BatchReport
from nearid_core.batches.retrieval import retrieval
from nearid_core.batches.settings import DEFAULT_SPACES, Settings
from nearid_core.batches.suggestion import suggested
from nearid_core.batches.summary import summarise
from nearid_core.components import Components, fit_components
from nearid_core.components.whitening import check_finite
from nearid_core.errors import InvalidInput
from nearid_core.progress import ProgressCallback, ignore
from nearid_core.steps import Steps
from nearid_core.threads import threads_for

RESTARTS = 2
BOOTSTRAPS = 10
FITTING, READING, LEAVING, MIXING = (
    "Fitting the components",
    "Reading every component",
    "Leaving out batches",
    "Mixing and retrieval",
)
_STAGES = {FITTING: 25, READING: 10, LEAVING: 55, MIXING: 10}


def batch_report(
    values: np.ndarray | pd.DataFrame,
    samples: pd.DataFrame,
    *,
    batch: str,
    label: str | None = None,
    control: str | None = None,
    group: str | None = None,
    position: str | None = None,
    mechanism: str | None = None,
    level: str | None = None,
    spaces: Sequence[str] = DEFAULT_SPACES,
    drop: Sequence[int] | None = None,
    n_components: int | None = None,
    transductive: bool = False,
    classify: bool = True,
    split_seed: int = 0,
    on_progress: ProgressCallback = ignore,
    name: str = "The table",
) -> BatchReport:
    """Which components are batch and which biology, against PCA and random rotations, and what dropping them costs.

    values : (N, D), a DataFrame where features have names. samples : N rows, with ``sample_id`` where samples have one.
    batch : column with the technical unit. label : column with the biology. control : a value of `label`, or
        ``COLUMN=VALUE``. group : column of rows that are not independent. position : column with the well.
    mechanism : column of what several labels have in common; retrieval is read for it, too, across labels.
    level : what a row is: cell, field, well, replicate or consensus.
    spaces : of the registries of spaces and corrections.
    drop : components to drop for the space ``kept`` (default: those more batch than biology, see `suggested`).
    n_components : leading principal directions that are whitened (default: those with 99% of the variance, 64 at most).
    transductive : fit spaces on all rows, without labels, and not on the fit half and training batches alone.
    classify : judge labels on left-out batches, too; that takes most of the time.
    split_seed : which half is held out.

    Raises InvalidInput for unknown columns, values or spaces, NaN and constant tables; NotIdentifiable where no split
    leaves two batches on both sides.

    Source: Nelson, Fumero, Karaletsos and Locatello, ICLR 2026 (arXiv 2603.11970), section on batch effects.
    """
    settings = Settings(
        batch=batch,
        label=label,
        control=control,
        group=group,
        position=position,
        mechanism=mechanism,
        level=level,
        spaces=tuple(spaces),
        drop=None if drop is None else tuple(drop),
        n_components=n_components,
        transductive=transductive,
        classify=classify,
        split_seed=split_seed,
    )
    features = [str(column) for column in values.columns] if isinstance(values, pd.DataFrame) else None
    return make_report(_matrix(values, samples, name), samples, settings, features, on_progress, name)


def make_report(
    values: np.ndarray,
    samples: pd.DataFrame,
    settings: Settings,
    features: Sequence[str] | None = None,
    on_progress: ProgressCallback = ignore,
    name: str = "The table",
) -> BatchReport:
    """`batch_report` with its settings in one piece."""
    columns = settings.columns(samples)
    if not settings.spaces or (settings.n_components is not None and settings.n_components < 1):
        raise InvalidInput(
            f"spaces is {settings.spaces} and n_components {settings.n_components}; expected one space or more, and a "
            f"whole number from 1 (or None)."
        )
    table = Halved.of(values, columns, _ids(samples), settings.split_seed)
    steps = Steps(on_progress, _STAGES)
    with threads_for(COMPONENTS_MAX):
        rows, components = _fit(table, settings, name, steps.enter(FITTING))
        drop = _dropped(table, components, settings)
        steps.enter(READING)
        spaces = _spaces(rows, components, drop, settings)
        by_component, curves, found = _read(table, spaces, components)
        folds = _folds(table, components, drop, settings, steps.enter(LEAVING))
        steps.enter(MIXING)
        mixing, retrieved = _mixing_and_retrieval(table, spaces)
    labels = by_label(folds)
    spaces_judged = by_space(labels)
    return BatchReport(
        design=check_design(columns),
        table=by_component,
        summary=summarise(by_component, curves, found),
        advantages=advantages(found),
        removal_curves=curves,
        cross_batch=spaces_judged,
        cross_batch_labels=labels,
        folds=folds,
        mixing=mixing,
        retrieval=retrieved,
        components=components,
        drop=drop,
        heldout=table.heldout,
        settings=settings.to_dict() | {"split_seed_used": table.seed, "features": features},
        notes=notes(table, rows, settings) + position_note(spaces_judged),
        values=values,
        samples=samples,
    )


def _fit(table: Halved, settings: Settings, name: str, on_progress: ProgressCallback) -> tuple[FitRows, Components]:
    """The rows that spaces are fitted on, and their independent components with diagnostics."""
    chosen = table.all_rows if settings.transductive else table.fit_rows
    rows = _fit_rows(table, settings, chosen, name if settings.transductive else f"{name} (the half to fit on)")
    read = table.read_rows
    components = fit_components(
        rows.sampled,
        n_components=rows.whitening.rank,
        restarts=RESTARTS,
        heldout=table.values[read[:: max(1, len(read) // len(rows.sampled))]],
        bootstraps=BOOTSTRAPS,
        standardise=True,
        name=name,
        on_progress=on_progress,
    )
    return replace(rows, n_components=components.rank, rotation=components.rotation), components


def _fit_rows(table: Halved, settings: Settings, rows: np.ndarray, name: str = "The table") -> FitRows:
    columns = table.columns
    return FitRows(
        table.values, columns.batch.codes, columns.control, rows, settings.n_components, seed=table.seed, name=name
    )


def _dropped(table: Halved, components: Components, settings: Settings) -> tuple[int, ...]:
    if settings.drop is not None:
        return checked_drop(settings.drop, components.rank)
    fit = table.fit_rows
    return suggested(components.transform(table.values[fit]), table.columns.take(fit))


def _spaces(rows: FitRows, components: Components, drop: tuple[int, ...], settings: Settings) -> list[FittedSpace]:
    return [*fit_spaces(settings.spaces, rows), *([kept_space(components, drop, rows)] if drop else [])]


def _read(
    table: Halved, spaces: Sequence[FittedSpace], components: Components
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Components, removal curves and areas of every space: chosen on the fit half, read on the held-out one."""
    fit, read = table.fit_rows, table.read_rows
    fit_columns, read_columns = table.columns.take(fit), table.columns.take(read)
    parts, curves, found = [], [], []
    for space in spaces:
        chosen_on, read_on = space.at(fit), space.at(read)
        rows = component_rows(chosen_on, fit_columns, read_on, read_columns, table.seed, nulls=space.draw == 0)
        parts.append(_placed(rows, space))
        if read_columns.label is not None and space.name != KEPT:
            order = most_first(rows["chosen_eta2_batch"].to_numpy())
            codes = read_columns.batch.codes, read_columns.label.codes
            curves.append(_placed(removal_curve(read_on, *codes, order), space))
            found.append(_placed(areas(read_on, *codes, order, table.units[read]), space))
    by_component = pd.concat(parts, ignore_index=True)
    identified = by_component["space"].eq("pca_ica") & by_component["component"].map(
        components.diagnostics["identified"]
    )
    return by_component.assign(identified=identified), _joined(curves), _joined(found)


def _mixing_and_retrieval(table: Halved, spaces: Sequence[FittedSpace]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """On held-out rows, of one draw of every space; those that are a rotation of PCA are as PCA is."""
    read, columns = table.read_rows, table.columns.take(table.read_rows)
    label = columns.label
    mixed, found = [], []
    for space in (one for one in spaces if one.name == "pca" or one.rotation is None):
        values = space.at(read)
        known = None if label is None else label.codes
        scores = mixing_scores(values, columns.batch.codes, known, max_rows=SCORED_ROWS, seed=table.seed)
        mixed.append(_placed(scores, space))
        found.append(_placed(_retrieved(values, columns, table.seed), space))
    return _joined(mixed), _joined(found)


def _retrieved(values: np.ndarray, columns: Columns, seed: int) -> pd.DataFrame:
    """``replicate``: samples of a label across batches; ``mechanism``: of a mechanism across labels."""
    label, mechanism, batch, control = columns.label, columns.mechanism, columns.batch, columns.control
    if label is None:
        return pd.DataFrame()
    parts = [retrieval(values, label.codes, batch.codes, control, names=list(label.values), seed=seed)]
    if mechanism is not None:
        names = list(mechanism.values)
        across = retrieval(values, mechanism.codes, label.codes, control, names=names, apart="label", seed=seed)
        parts.append(across)
    kinds = ("replicate", "mechanism")
    return _joined([part.assign(kind=kind) for part, kind in zip(parts, kinds, strict=False)])


def _folds(
    table: Halved, components: Components, drop: tuple[int, ...], settings: Settings, report: ProgressCallback
) -> pd.DataFrame:
    """Cross-batch AUROC of every space, fitted on the training batches of each fold, or on all rows."""

    def fit(train: np.ndarray) -> list[FittedSpace]:
        rows = _fit_rows(table, settings, table.all_rows if settings.transductive else train)
        return _spaces(rows, components, drop, settings)

    if not settings.classify:
        return pd.DataFrame()
    folds = cross_batch(table.columns, fit, seed=table.seed, on_progress=report)
    if folds.empty:
        return folds
    batch = table.columns.batch
    unit_of = dict(zip(batch.texts, independent_units(table.columns), strict=True))
    return folds.assign(unit=folds["batch"].map(unit_of))


def _placed(rows: pd.DataFrame, space: FittedSpace) -> pd.DataFrame:
    """The rows, with the space that they are of in front."""
    return pd.concat([pd.DataFrame({"space": space.name, "draw": space.draw}, index=rows.index), rows], axis=1)


def _joined(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()


def _ids(samples: pd.DataFrame) -> np.ndarray:
    if "sample_id" not in samples:
        return np.arange(len(samples)).astype(str)
    ids = samples["sample_id"].astype(str)
    if ids.duplicated().any():
        raise InvalidInput(f"Sample id {ids[ids.duplicated()].iloc[0]!r} occurs more than once; ids have to be unique.")
    return ids.to_numpy().astype(str)


def _matrix(values: np.ndarray | pd.DataFrame, samples: pd.DataFrame, name: str) -> np.ndarray:
    matrix = np.asarray(values)
    if matrix.ndim != 2 or not np.issubdtype(matrix.dtype, np.number) or 0 in matrix.shape:
        raise InvalidInput(f"{name} has shape {matrix.shape} and type {matrix.dtype}; expected a matrix of numbers.")
    if len(matrix) != len(samples):
        raise InvalidInput(
            f"{name} has {len(matrix):,} rows and its samples are {len(samples):,}; give one row of each for a sample."
        )
    check_finite(matrix, name)
    return matrix

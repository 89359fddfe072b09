"""Compare runs: how closely do their representations agree, under which transformations?"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from nearid_core.align.comparison import GROUPS, Comparison
from nearid_core.align.controls import n_shuffles
from nearid_core.align.errors_table import Nulls, average_over_pairs, efficiency_rows, error_rows, with_mean_intervals
from nearid_core.align.lookup import Settings, cached, comparison_key
from nearid_core.align.matching import Matched, match_representations, match_runs
from nearid_core.align.returning import matched_components
from nearid_core.align.spaces import Frame, predict
from nearid_core.components import Components, fit_components
from nearid_core.components.of_run import fit_key, kept_fit
from nearid_core.errors import InvalidInput
from nearid_core.progress import Progress, ProgressCallback, ignore
from nearid_core.results import ResultCache
from nearid_core.runs import Representation, Run, RunSet, common_layer
from nearid_core.threads import threads_for

Fit = Callable[[int, np.ndarray, np.ndarray, ProgressCallback], Components]  # (position of the run, fit, held-out)


def compare(
    runs: Sequence[Run | RunSet | Representation | np.ndarray] | RunSet | np.ndarray,
    layer: str | np.ndarray | None = None,
    groups: Sequence[str] | str = GROUPS,
    *,
    samples: str = "test",
    label: str | Sequence[Any] | None = None,
    split_seed: int = 0,
    on_progress: ProgressCallback = ignore,
    cache: ResultCache | None = None,
) -> Comparison:
    """Align every ordered pair of runs and judge the alignment on held-out samples.

    runs : runs, a run set, representations or (N, D) arrays of the same samples; ``compare(a, b)`` takes two arrays,
        or what numpy makes one of (a DataFrame, a tensor on the CPU).
    layer : which layer of the runs (default: ``latent``, else the last they share).
    groups : which of `GROUPS`; ``whitened_rigid``, the ceiling of ICA in latent space, comes with ``ica``.
    samples : ``test``, those that the models did not train on, or ``all``.
    label : column with each sample's class, for the class controls (default: the dataset's own); for arrays, one class
        a sample. Classes are never used to align.
    split_seed : which half is held out.
    cache : where results of stored runs are kept (default: the user's cache folder).

    Raises InvalidInput for fewer than two runs, unknown names, failed runs, NaN or constant values; SampleMismatch for
    different samples.

    Source: Nelson, Fumero, Karaletsos and Locatello, ICLR 2026 (arXiv 2603.11970).

    >>> rng = np.random.default_rng(0)
    >>> a = rng.normal(size=(400, 3))
    >>> turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    >>> compare(a, a @ turn).verdict.split(":")[0]
    'rigid'
    """
    items = _items(runs, layer)
    groups = (groups,) if isinstance(groups, str) else tuple(groups)
    if not isinstance(items[0], Run):
        settings = Settings(groups, split_seed=split_seed)
        return _compare_arrays(items, label, settings, on_progress)
    if not (layer is None or isinstance(layer, str)) or not (label is None or isinstance(label, str)):
        raise InvalidInput("For runs, layer and label are names: a layer, and a column of the samples.")
    settings = Settings(groups, samples, label, split_seed)
    return _compare_runs(items, layer, settings, on_progress, cache or ResultCache())


def _items(runs: Any, layer: Any) -> list[Any]:
    """The runs, or the representations, as one list of one kind."""
    pair = layer is not None and not isinstance(layer, str)
    given = [runs, layer] if pair else [runs] if isinstance(runs, RunSet) else list(runs)
    items = [one for item in given for one in (item.done if isinstance(item, RunSet) else [item])]
    if len(items) < 2:
        raise InvalidInput(f"A comparison needs two runs or more; found {len(items)}. Train another seed.")
    are_runs = {isinstance(item, Run) for item in items}
    if len(are_runs) > 1:
        raise InvalidInput("Runs and arrays cannot be mixed: take run.representation(layer) of each run.")
    return items


def _compare_runs(
    runs: list[Run], layer: str | None, settings: Settings, on_progress: ProgressCallback, cache: ResultCache
) -> Comparison:
    layer = layer or common_layer(runs)
    chosen = {"samples": settings.samples, "label": settings.label, "split_seed": settings.split_seed}
    found = cached(runs, layer, settings.groups, **chosen, cache=cache)  # type: ignore[arg-type]
    if found is not None:
        return found

    def fit(position: int, rows: np.ndarray, heldout: np.ndarray, report: ProgressCallback) -> Components:
        key = fit_key(runs[position], layer, settings.samples, settings.split_seed)
        name = f"The fit half of layer {layer} of run {runs[position].id}"
        return kept_fit(key, rows, heldout, name, None, cache, report)

    matched = match_runs(runs, layer, settings.samples, settings.label, settings.split_seed)
    with threads_for(max(values.shape[1] for values in matched.values)):
        comparison = _compare_matched(matched, layer, settings, fit, on_progress)
    cache.save("comparison", comparison_key(runs, layer, settings), comparison.to_entry())
    return comparison


def _compare_arrays(
    items: list[Any], label: str | Sequence[Any] | None, settings: Settings, on_progress: ProgressCallback
) -> Comparison:
    if isinstance(label, str):
        raise InvalidInput(f"label is {label!r}, a column name; arrays have no columns, so give one class a sample.")
    named = [
        item if isinstance(item, Representation) else Representation(item, layer=_letter(position))
        for position, item in enumerate(items)
    ]
    matched = match_representations(named, label, settings.split_seed)

    def fit(position: int, rows: np.ndarray, heldout: np.ndarray, report: ProgressCallback) -> Components:
        name = f"{named[position].name} (its fit half)"
        return fit_components(rows, heldout=heldout, name=name, on_progress=report)

    with threads_for(max(values.shape[1] for values in matched.values)):
        return _compare_matched(matched, None, settings, fit, on_progress)


def _compare_matched(
    matched: Matched, layer: str | None, settings: Settings, fit: Fit, on_progress: ProgressCallback
) -> Comparison:
    names = matched.names
    pairs = list(itertools.permutations(range(len(names)), 2))
    steps = _Steps(len(names) + len(pairs), on_progress)
    frames = []
    for position, values in enumerate(matched.values):
        report = steps.begin(f"independent components of {names[position]}")
        rows, heldout = np.asarray(values[~matched.heldout]), np.asarray(values[matched.heldout])
        frames.append(Frame(rows, heldout, fit(position, rows, heldout, report)))
    nulls = _nulls(matched, frames, settings.split_seed)
    wanted = (*settings.groups, "whitened_rigid") if "ica" in settings.groups else settings.groups
    tables, residuals, returning, blocks = [], [], [], []
    for a, b in pairs:
        steps.begin(f"{names[b]} onto {names[a]}")
        pair = {"reference": names[a], "other": names[b]}
        table, errors = error_rows(list(predict(frames[a], frames[b], wanted)), nulls)
        components, angles = matched_components(frames[a], frames[b], nulls.free)
        tables.append(_of_pair(pair, table))
        residuals.append(errors)
        returning.append(_of_pair(pair, components))
        blocks.append(_of_pair(pair, angles))
    steps.end("done")
    errors = np.concatenate(residuals)
    table = with_mean_intervals(pd.concat(tables, ignore_index=True), errors, settings.split_seed)
    diagnostics = [_of_pair({"run": name}, f.components.diagnostics) for name, f in zip(names, frames, strict=True)]
    return Comparison(
        runs=names,
        layer=layer,
        table=table,
        residuals=errors,
        sample_ids=matched.sample_ids[matched.heldout],
        averages=average_over_pairs(table, errors),
        efficiencies=efficiency_rows(table, errors),
        components=pd.concat(returning, ignore_index=True),
        blocks=_joined(blocks),
        diagnostics=pd.concat(diagnostics, ignore_index=True),
        notes=(*matched.notes, *_caveats(table, frames)),
    )


def _nulls(matched: Matched, frames: list[Frame], seed: int) -> Nulls:
    heldout, labels = matched.heldout, matched.labels
    n = int(heldout.sum())
    count = n_shuffles(n, max(frame.fit.shape[1] for frame in frames))
    if labels is None:
        return Nulls(n, count, None, None, seed)
    return Nulls(n, count, labels[heldout], labels[~heldout], seed)


def _caveats(table: pd.DataFrame, frames: list[Frame]) -> list[str]:
    """What limits the figures, one sentence each."""
    notes = []
    widest = max(frame.fit.shape[1] for frame in frames)
    n_fit = len(frames[0].fit)
    if n_fit < 10 * widest:
        notes.append(
            f"{n_fit} samples fit maps of {widest} dimensions, {n_fit / widest:.1f} a dimension: linear maps overfit "
            f"below about 10."
        )
    short = [frame for frame in frames if frame.components.rank < frame.fit.shape[1]]
    if short:
        ranks = ", ".join(f"{frame.components.rank} of {frame.fit.shape[1]}" for frame in short)
        notes.append(f"Some dimensions carry no variance: the numerical rank is {ranks}.")
    if not table["diameter_exact"].all():
        notes.append("Some diameters are lower bounds, so errors measured in them are overstated.")
    lost = [frame.components for frame in frames if frame.components.gradient > 1e-4]
    if lost:
        notes.append(f"ICA did not converge in {len(lost)} of {len(frames)} runs: expect Gaussian directions.")
    unidentified = sum(int((~frame.components.diagnostics["identified"]).sum()) for frame in frames)
    total = sum(frame.components.rank for frame in frames)
    if unidentified:
        notes.append(
            f"{unidentified} of {total} components over all runs are unidentified (held-out non-Gaussianity under 4 "
            f"standard errors, found again in under 90% of bootstrap refits, or no axes preferred over turned ones). "
            f"Where they return between runs, the runs share their samples: with other samples they may come out "
            f"rotated within their block."
        )
    return notes


def _joined(blocks: list[pd.DataFrame]) -> pd.DataFrame:
    """Those that have rows, for an empty one would take the types of the columns; an empty one when none has."""
    return pd.concat([of for of in blocks if len(of)] or blocks[:1], ignore_index=True)


def _of_pair(pair: dict[str, str], table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(**pair)[[*pair, *table.columns]]


def _letter(position: int) -> str:
    return chr(ord("a") + position) if position < 26 else str(position)


class _Steps:
    """Counts steps of equal weight for a progress callback."""

    def __init__(self, total: int, on_progress: ProgressCallback) -> None:
        self.total, self.done, self.on_progress = total, 0, on_progress
        self.started = time.monotonic()

    def begin(self, what: str) -> ProgressCallback:
        """Returns the callback of what goes on within the step."""
        done = self.done
        self.done += 1

        def tell(within: str) -> None:
            self.on_progress(Progress(within, done, self.total, time.monotonic() - self.started))

        tell(what)
        return lambda inner: tell(f"{what}: {inner.what}")

    def end(self, what: str) -> None:
        self.on_progress(Progress(what, self.total, self.total, time.monotonic() - self.started))

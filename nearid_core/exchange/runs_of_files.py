"""What several files mean: a run each, a layer each, or parts of one table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from nearid_core.errors import InvalidInput
from nearid_core.exchange.keys import key_text
from nearid_core.exchange.layer import FileLayer
from nearid_core.exchange.mapping import Mapping
from nearid_core.exchange.problem import DROP_ROWS, INTERSECTION, Problem, action_for
from nearid_core.exchange.source import Source

RESERVED = ("sample_id", "split")  # names that mean something in a run's samples


@dataclass(frozen=True, eq=False)
class Piece:
    """rows : (rows of the file,) the row of the run that each becomes; -1 for one that is not in it."""

    layer: FileLayer
    rows: np.ndarray


@dataclass(frozen=True, eq=False)
class Planned:
    """A run to be.

    name : among those imported together; samples : with sample_id first; layers : name to the pieces of it.
    """

    name: str
    samples: pd.DataFrame
    layers: dict[str, tuple[Piece, ...]]

    def shape(self, layer: str) -> tuple[int, int]:
        return len(self.samples), len(self.layers[layer][0].layer.names)

    def dtype(self, layer: str) -> np.dtype:
        return np.result_type(*(piece.layer.dtype for piece in self.layers[layer]))

    def features(self, layer: str) -> tuple[str, ...]:
        return self.layers[layer][0].layer.names


def by_files(sources: Sequence[Source], mapping: Mapping) -> tuple[list[Planned], list[Problem]]:
    """The runs, and what is wrong between files."""
    if mapping.run is not None:
        return _by_column(sources, mapping)
    return _MEANINGS[mapping.files or "runs"](sources, mapping)


def _as_runs(sources: Sequence[Source], mapping: Mapping) -> tuple[list[Planned], list[Problem]]:
    parts = [(source.label, source, source.kept) for source in sources]
    return _same_samples(parts, mapping)


def _by_column(sources: Sequence[Source], mapping: Mapping) -> tuple[list[Planned], list[Problem]]:
    """A run for each value of the run column."""
    if len(sources) > 1:
        raise InvalidInput(f"The column {mapping.run} says which run a row is of; give one file, or no run column.")
    source = sources[0]
    runs = key_text(source.samples[str(mapping.run)])
    values = list(dict.fromkeys(runs[source.kept].dropna()))
    if len(values) > 1_000:
        raise InvalidInput(f"The column {mapping.run} has {len(values):,} values; is it the run?")
    parts = [(value, source, source.kept & (runs == value).to_numpy(bool)) for value in values]
    return _same_samples(parts, mapping)


def _same_samples(
    parts: Sequence[tuple[str, Source, np.ndarray]], mapping: Mapping
) -> tuple[list[Planned], list[Problem]]:
    """Runs can be compared only on samples that all have."""
    problems = []
    have = [set(source.ids[kept].dropna()) for _, source, kept in parts]
    shared, all_ids = set.intersection(*have), set.union(*have)
    if len(shared) < len(all_ids):
        action = action_for("samples_differ", mapping.choices)
        short = min(parts, key=lambda part: int(part[2].sum()))
        first = sorted(all_ids - shared)[0]
        message = (
            f"{len(all_ids) - len(shared):,} of {len(all_ids):,} samples are not in every run, such as {first!r}; "
            f"{len(shared):,} are in all. Runs compare on shared samples only."
        )
        problems.append(
            Problem("samples_differ", message, len(all_ids) - len(shared), short[1].table.path.name, (), action)
        )
        if action == INTERSECTION:
            parts = [(name, source, kept & source.ids.isin(shared).to_numpy()) for name, source, kept in parts]
    return [_run_of(name, source, kept, mapping, problems) for name, source, kept in parts], problems


def _run_of(name: str, source: Source, kept: np.ndarray, mapping: Mapping, problems: list[Problem]) -> Planned:
    again = source.ids[kept].duplicated()
    if mapping.run is not None and again.any():
        action = action_for("duplicate_ids", mapping.choices)
        message = f"{int(again.sum()):,} rows of run {name} repeat the sample id of an earlier row, the first being "
        message += f"{source.ids[kept][again].iloc[0]!r}."
        problems.append(Problem("duplicate_ids", message, int(again.sum()), source.table.path.name, (), action))
        if action == DROP_ROWS:
            kept = kept.copy()
            kept[np.flatnonzero(kept)[again.to_numpy()]] = False
    rows = np.where(kept, np.cumsum(kept) - 1, -1)
    layers: dict[str, tuple[Piece, ...]] = {layer: (Piece(found, rows),) for layer, found in source.layers.items()}
    return Planned(name, _samples(source.samples[kept], source.ids[kept]), layers)


def _as_layers(sources: Sequence[Source], mapping: Mapping) -> tuple[list[Planned], list[Problem]]:
    """One run; the first file's samples and order hold for all."""
    have = [set(source.ids[source.kept].dropna()) for source in sources]
    shared, all_ids = set.intersection(*have), set.union(*have)
    problems = []
    if len(shared) < len(all_ids):
        action = action_for("samples_differ", mapping.choices)
        message = (
            f"{len(all_ids) - len(shared):,} of {len(all_ids):,} samples are not in every layer; {len(shared):,} are "
            f"in all, and a run has the same samples in all its layers."
        )
        action = INTERSECTION if action == INTERSECTION else "stop"
        problems.append(Problem("samples_differ", message, len(all_ids) - len(shared), "", (), action))
    first = sources[0]
    kept = first.kept & first.ids.isin(shared).to_numpy()
    ids = pd.Index(first.ids[kept])
    layers: dict[str, tuple[Piece, ...]] = {}
    samples = first.samples[kept]
    for source in sources:
        rows = ids.get_indexer(source.ids.where(source.kept, None)) if ids.is_unique else np.full(len(source.ids), -1)
        for name, layer in source.layers.items():
            alone = len(source.layers) == 1
            layers[source.label if alone else f"{source.label}.{name}"] = (Piece(layer, rows),)
        samples = _with_more(samples, ids, source)
    return [Planned(first.label, _samples(samples, first.ids[kept]), layers)], problems


def _with_more(samples: pd.DataFrame, ids: pd.Index, source: Source) -> pd.DataFrame:
    """Columns that only this file has."""
    more = [name for name in source.samples if name not in samples]
    if not more or source.ids.duplicated().any():
        return samples
    added = source.samples[more].set_axis(pd.Index(source.ids)).reindex(ids)
    return pd.concat([samples, added.set_axis(samples.index)], axis=1)


def _as_batches(sources: Sequence[Source], mapping: Mapping) -> tuple[list[Planned], list[Problem]]:
    """One table, the files below each other."""
    sources, problems = _same_columns(sources, mapping)
    batch = mapping.batch or "batch"
    frames, ids, starts, start = [], [], [], 0
    for source in sources:
        frame = source.samples[source.kept]
        frames.append(frame if batch in frame else frame.assign(**{batch: source.label}))
        own = source.ids[source.kept]
        ids.append(own if mapping.sample_id else source.label + "_" + own)
        starts.append(start)
        start += int(source.kept.sum())
    stacked, all_ids = pd.concat(frames, ignore_index=True), pd.concat(ids, ignore_index=True)
    again = all_ids.duplicated()
    keep = np.ones(len(all_ids), bool)
    if again.any():
        action = action_for("duplicate_ids", mapping.choices)
        message = (
            f"{int(again.sum()):,} sample ids are in several of the files, such as {all_ids[again].iloc[0]!r}; add the "
            f"column that tells the batches apart to the sample id, or drop them."
        )
        problems.append(Problem("duplicate_ids", message, int(again.sum()), "", mapping.sample_id, action))
        keep = ~again.to_numpy() if action == DROP_ROWS else keep
    target = np.where(keep, np.cumsum(keep) - 1, -1)
    pieces: dict[str, list[Piece]] = {}
    for source, begin in zip(sources, starts, strict=True):
        rows = np.full(len(source.kept), -1)
        rows[source.kept] = target[begin : begin + int(source.kept.sum())]
        for name, layer in source.layers.items():
            pieces.setdefault(name, []).append(Piece(layer, rows))
    layers = {name: tuple(found) for name, found in pieces.items() if len(found) == len(sources)}
    return [Planned(sources[0].label, _samples(stacked[keep], all_ids[keep]), layers)], problems


def _same_columns(sources: Sequence[Source], mapping: Mapping) -> tuple[list[Source], list[Problem]]:
    """The features that all files have, in the order of the first."""
    problems, layers = [], [dict(source.layers) for source in sources]
    for name in sources[0].layers:
        if any(name not in of_file for of_file in layers):
            raise InvalidInput(f"The layer {name} is not in every file; name the arrays that are (features.arrays).")
        sets = [set(of_file[name].names) for of_file in layers]
        shared, everything = set.intersection(*sets), set.union(*sets)
        if not shared:
            raise InvalidInput(
                f"The files have no feature of layer {name} in common, so they are not batches of one table."
            )
        if len(shared) < len(everything):
            lost = tuple(sorted(everything - shared))
            action = action_for("columns_differ", mapping.choices)
            message = (
                f"The files have {len(shared):,} features in common and {len(lost):,} that only some have, such as "
                f"{lost[0]!r}; the intersection loses those."
            )
            problems.append(Problem("columns_differ", message, len(lost), "", lost, action))
        names = tuple(feature for feature in layers[0][name].names if feature in shared)
        for of_file in layers:
            of_file[name] = of_file[name].order(names)
    return [replace(source, layers=of_file) for source, of_file in zip(sources, layers, strict=True)], problems


def _samples(known: pd.DataFrame, ids: pd.Series) -> pd.DataFrame:
    """sample_id, then everything known; columns of a reserved name are told apart, since they mean something here."""
    if "sample_id" in known and (key_text(known["sample_id"]) == ids).all():
        known = known.drop(columns="sample_id")
    known = known.rename(columns={name: f"{name} (original)" for name in RESERVED if name in known})
    return pd.concat([ids.rename("sample_id"), known], axis=1).reset_index(drop=True)


_MEANINGS: dict[str, Callable[[Sequence[Source], Mapping], tuple[list[Planned], list[Problem]]]] = {
    "runs": _as_runs,
    "layers": _as_layers,
    "batches": _as_batches,
}

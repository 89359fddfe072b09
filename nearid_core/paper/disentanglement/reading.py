"""Codes held against the factors, on the samples that neither a model nor a component was fitted on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from nearid_core.components import Components, fit_components
from nearid_core.components.of_run import content, run_halves
from nearid_core.components.split import heldout_mask
from nearid_core.components.whitening import whiten
from nearid_core.datasets import DATASETS, Dataset
from nearid_core.digest import json_digest
from nearid_core.factors.directions import live_directions
from nearid_core.factors.of_run import live_components
from nearid_core.factors.paired import paired
from nearid_core.factors.reading import Reading
from nearid_core.factors.scores import SCORES
from nearid_core.factors.spaces import Coordinates, coordinates_of
from nearid_core.factors.variants import VARIANTS
from nearid_core.paper.disentanglement.methods import Method
from nearid_core.results import Entry, ResultCache
from nearid_core.runs import Run
from nearid_core.threads import threads_for

ALGORITHM = 1  # raise when scores of the same runs would differ
QUANTITIES = ("infom", "infoe", "infoe_heldout", "infoc", "mcc")
MERIT = ("infom", "mcc")  # what settings are chosen by; InfoE would take ten times as long
VARIANT = VARIANTS["reference"]


def scores_of_run(run: Run, method: Method, quantities: Sequence[str], cache: ResultCache) -> pd.DataFrame:
    """One row a draw of the method's coordinates: a column each of the quantities, and what was counted.

    Kept in the cache.
    """
    key = [ALGORITHM, content(run, "latent"), method.space, method.discrete, list(quantities)]
    entry = cache.load("paper-e3", key)
    if entry is not None:
        return entry.tables["scores"]
    halves = run_halves(run)
    values = run.representation("latent").values[halves.rows][halves.heldout]
    factors = run.samples.iloc[halves.rows][halves.heldout][list(run.dataset["factors"])]
    fitted = None if method.space == "raw" else live_components(run, "latent", cache=cache)
    with threads_for(values.shape[1]):
        scores = _read(values, factors, _coordinates(method, fitted, values.shape[1]), quantities, method.discrete)
    return _kept(scores.assign(n_identified=_identified(method, fitted)), key, cache)


def scores_of_pixels(
    name: str, data: Any, components: int, method: Method, quantities: Sequence[str], cache: ResultCache
) -> pd.DataFrame:
    """The same of the leading principal components of the training samples, unmixed as a model's latents are.

    name, data : of the dataset, and its settings.
    """
    dataset = DATASETS[name].load(**data)
    key = [ALGORITHM, _content(dataset), components, method.space, list(quantities)]
    entry = cache.load("paper-e3", key)
    if entry is not None:
        return entry.tables["scores"]
    samples = dataset.samples
    test = (samples["split"] == "test").to_numpy()
    projected = _projected(dataset.features, test, components)
    heldout = heldout_mask(samples["sample_id"][test])
    with threads_for(components):
        live = live_directions(whiten(projected[~heldout], name="The pixels").eigenvalues)
        fitted = fit_components(projected[~heldout], heldout=projected[heldout], n_components=live, name="The pixels")
        factors = samples[test][heldout][list(dataset.factor_names)]
        scores = _read(projected[heldout], factors, coordinates_of([method.space], fitted, 0), quantities)
    return _kept(scores.assign(n_identified=_identified(method, fitted)), key, cache)


def nothing_read() -> pd.DataFrame:
    """What stands for a method of which no training came to an end."""
    return pd.DataFrame(np.nan, index=[0], columns=[*QUANTITIES, "n_active", "n_factors", "n_identified", "seed"])


def _coordinates(method: Method, fitted: Components | None, width: int) -> list[Coordinates]:
    """The latents as they are need no fit, and where only one of them lives there is none."""
    if fitted is None:
        return [Coordinates("raw", np.eye(width), np.zeros(width), whitened=False)]
    return coordinates_of([method.space], fitted, 0)


def _identified(method: Method, fitted: Components | None) -> float:
    """Independent components that other samples would give again; nan where there are none."""
    return float(fitted.diagnostics["identified"].sum()) if fitted and method.space == "ica" else float("nan")


def _read(
    values: np.ndarray,
    factors: pd.DataFrame,
    coordinates: Sequence[Coordinates],
    quantities: Sequence[str],
    discrete: bool = False,
) -> pd.DataFrame:
    rows = []
    for one in coordinates:
        latents, table = paired(one(values), factors)
        active = VARIANT.active(latents, discrete) if not one.whitened else one.active(latents, VARIANT)
        reading = Reading(latents, table, active, discrete, VARIANT.name)
        asked = [name for name in quantities if one.draw == 0 or SCORES[name].has_null]  # InfoE sees no rotation
        counts = {"n_active": int(active.sum()), "n_factors": int(table.varying.sum())}
        rows.append({name: SCORES[name].of(reading) for name in asked} | counts)
    return pd.DataFrame(rows).reindex(columns=[*quantities, "n_active", "n_factors"])


def _projected(features: np.ndarray, test: np.ndarray, components: int) -> np.ndarray:
    from nearid_core.training.stem import Stem

    return Stem.fit(features[~test], components).project(features[test])


def _content(dataset: Dataset) -> list[Any]:
    return [dataset.digest, json_digest(dict(dataset.options))]


def _kept(scores: pd.DataFrame, key: list[Any], cache: ResultCache) -> pd.DataFrame:
    cache.save("paper-e3", key, Entry({"scores": scores}))
    return scores

"""The independent components of a stored run's layer: one fit a (run, layer, split), whoever asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nearid_core.components.components import Components, fit_components
from nearid_core.components.split import heldout_mask
from nearid_core.errors import InvalidInput
from nearid_core.progress import ProgressCallback, ignore
from nearid_core.registry import unknown
from nearid_core.results import ResultCache
from nearid_core.runs import Run
from nearid_core.runs.run import SAMPLES

ALGORITHM = 2  # raise when a fit of the same data would differ
CHOICES = ("test", "all")


@dataclass(frozen=True, eq=False)
class RunHalves:
    """rows : (n,) positions of the run's samples that are looked at. heldout : (n,) bool, those not fitted on."""

    rows: np.ndarray
    heldout: np.ndarray


def run_halves(run: Run, samples: str = "test", split_seed: int = 0) -> RunHalves:
    """Which samples of a run things are fitted on, and which they are read on.

    samples : ``test``, those that the model did not train on (where that is known), or ``all``.
    """
    rows = chosen_rows(run, samples)
    groups = row_groups(run, rows)
    ids = run.samples["sample_id"].to_numpy()[rows] if groups is None else groups
    return RunHalves(rows, heldout_mask(ids, split_seed))


def components_of_run(
    run: Run,
    layer: str,
    *,
    samples: str = "test",
    split_seed: int = 0,
    n_components: int | None = None,
    cache: ResultCache | None = None,
    on_progress: ProgressCallback = ignore,
) -> Components:
    """Fitted on the fit half, and kept on disk. n_components : leading principal directions (default: the rank).

    Raises InvalidInput for an unknown layer, and as `fit_components` does.
    """
    key = fit_key(run, layer, samples, split_seed, n_components)
    halves = run_halves(run, samples, split_seed)
    values = run.representation(layer).values[halves.rows]
    name = f"The fit half of layer {layer} of run {run.id}"
    fit, heldout = values[~halves.heldout], values[halves.heldout]
    return kept_fit(key, fit, heldout, name, n_components, cache or ResultCache(), on_progress)


def cached_components(
    run: Run,
    layer: str,
    *,
    samples: str = "test",
    split_seed: int = 0,
    n_components: int | None = None,
    cache: ResultCache | None = None,
) -> Components | None:
    """What `components_of_run` gives where it was computed before, else None."""
    entry = (cache or ResultCache()).load("components", fit_key(run, layer, samples, split_seed, n_components))
    return None if entry is None else Components.from_entry(entry)


def kept_fit(
    key: Mapping[str, Any],
    fit: np.ndarray,
    heldout: np.ndarray,
    name: str,
    n_components: int | None,
    cache: ResultCache,
    on_progress: ProgressCallback = ignore,
) -> Components:
    """The fit under this key, computed when it is not there yet. fit, heldout : (n, D) the rows of either half."""
    entry = cache.load("components", key)
    if entry is not None:
        return Components.from_entry(entry)
    fitted = fit_components(fit, heldout=heldout, n_components=n_components, name=name, on_progress=on_progress)
    cache.save("components", key, fitted.to_entry())
    return fitted


def fit_key(run: Run, layer: str, samples: str, split_seed: int, n_components: int | None = None) -> dict[str, Any]:
    key = {
        "algorithm": ALGORITHM,
        "content": content(run, layer),
        "samples": samples,
        "split_seed": split_seed,
    }
    return key if n_components is None else key | {"n_components": n_components}


def content(run: Run, layer: str) -> list[str]:
    """Digests of a layer's numbers and of the samples they belong to, and the column whose groups are not split."""
    if layer not in run.layers:
        raise InvalidInput(f"Run {run.id} has no layer {layer!r}; it has {', '.join(run.layers) or 'none'}.")
    digests = [run.record["layers"][layer]["digest"], run.record["files"][SAMPLES]["digest"]]
    group = run.dataset.get("group")
    return digests if group is None else [*digests, group]


def chosen_rows(run: Run, samples: str) -> np.ndarray:
    """Positions of the samples that ``test`` or ``all`` means for this run."""
    if samples not in CHOICES:
        raise InvalidInput(unknown("choice of samples", samples, CHOICES))
    table = run.samples
    if samples == "all" or "split" not in table or not (table["split"] == "test").any():
        return np.arange(len(table))
    return np.flatnonzero(table["split"] == "test")


def row_groups(run: Run, rows: np.ndarray) -> np.ndarray | None:
    """The group of each row, where rows are not independent: one is never split. A row without one stands alone."""
    group = run.dataset.get("group")
    if group is None or group not in run.samples:
        return None
    table = run.samples.iloc[rows]
    return table[group].astype("str").fillna(table["sample_id"]).to_numpy()

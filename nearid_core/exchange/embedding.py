"""A representation in one of its coordinate systems, with all that is known of its rows and columns."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import nearid_core
from nearid_core.components import Components, Whitening, fit_components, whiten
from nearid_core.errors import InvalidInput
from nearid_core.registry import unknown
from nearid_core.runs import Representation, Run

SPACES = ("raw", "pca", "ica")


@dataclass(frozen=True, eq=False)
class Embedding:
    """What a writer writes.

    values : (N, k), in the stored dtype for raw values, float64 for components; may be memory-mapped.
    features : DataFrame of k rows, the column names as its index; for components with their diagnostics.
    samples : DataFrame of N rows with ``sample_id`` and everything that came with the data.
    settings : JSON-able; what the values are and what made them.
    """

    values: np.ndarray
    features: pd.DataFrame
    samples: pd.DataFrame
    settings: dict[str, Any]

    @property
    def names(self) -> list[str]:
        return list(self.features.index)

    @property
    def sample_ids(self) -> np.ndarray:
        return self.samples["sample_id"].to_numpy(dtype=str)


def embed(run: Run, layer: str, space: str, components: Components | None = None, seed: int = 0) -> Embedding:
    """One layer of a run in a space.

    space : "raw" (as stored), "pca" (whitened principal components) or "ica" (independent components).
    components : a fit to use; without one, the fit is on all rows of the layer, with `seed`.

    Raises InvalidInput for an unknown layer or space, or components of another width.
    """
    if space not in SPACES:
        raise InvalidInput(unknown("space", space, SPACES))
    representation = run.representation(layer)
    values, diagnostics = _in_space(representation, space, components, seed)
    if space == "raw":
        names = run.feature_names(layer) or [f"{layer}_{number}" for number in range(1, values.shape[1] + 1)]
    else:
        names = [f"{space}_{number}" for number in range(values.shape[1])]
    features = pd.DataFrame(index=pd.Index(_apart(names, run.samples.columns), name="feature"))
    if diagnostics is not None:
        features = diagnostics.drop(columns="component").set_index(features.index)
    fitted = "not fitted" if space == "raw" else "given components" if components else f"all {len(values)} rows"
    settings = {"layer": layer, "space": space, "fitted_on": fitted, "seed": seed}
    return Embedding(values, features, run.samples, settings | describe(run))


def describe(run: Run) -> dict[str, Any]:
    """What made a run and what reads it now, for whoever opens the file later."""
    return {
        "run": run.id,
        "set": run.set_id,
        "model_seed": run.seed,
        "dataset": run.dataset["name"],
        "config": run.record.get("config"),
        "run_versions": run.versions,
        "versions": {"nearid": nearid_core.__version__}
        | {package: importlib.metadata.version(package) for package in ("numpy", "pandas", "scikit-learn")},
    }


def _in_space(
    representation: Representation, space: str, components: Components | None, seed: int
) -> tuple[np.ndarray, pd.DataFrame | None]:
    values, name = representation.values, representation.name
    if space == "raw":
        return values, None
    if components is not None and components.mean.shape != values.shape[1:]:
        raise InvalidInput(
            f"{name} has {values.shape[1]} columns and the components were fitted on {len(components.mean)}; give "
            f"components of this layer."
        )
    if space == "pca":
        whitening: Whitening = whiten(values, name=name) if components is None else components.whitening
        return whitening.transform(values), None
    fit = fit_components(values, seed=seed, name=name) if components is None else components
    return fit.transform(values), fit.diagnostics


def _apart(names: Sequence[str], taken: Sequence[str] | pd.Index) -> list[str]:
    """The names, with ``nearid_`` in front of all of them while one is a column of the metadata."""
    named, others = list(names), set(taken)
    while others & set(named):
        named = [f"nearid_{name}" for name in named]
    return named

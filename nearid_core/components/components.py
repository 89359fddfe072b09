"""Independent components of a representation, with what is known of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from nearid_core.components.axes import axis_gains
from nearid_core.components.correlation import correlations
from nearid_core.components.diagnostics import Evidence, evidence, heldout_z, square_dependence
from nearid_core.components.ica import Unmixing, default_restarts, non_gaussianity, unmix
from nearid_core.components.split import heldout_mask
from nearid_core.components.stability import BOOTSTRAPS
from nearid_core.components.whitening import Whitening, check_finite, whiten
from nearid_core.errors import InvalidInput
from nearid_core.progress import ProgressCallback, ignore
from nearid_core.results import Entry
from nearid_core.steps import Steps
from nearid_core.threads import threads_for

_WHITEN, _UNMIX, _DIAGNOSE = "whitening", "unmixing", "diagnostics of components"
_HALF = "a fit on half of the rows"
_STAGES = {_WHITEN: 1, _UNMIX: 40, _DIAGNOSE: 40}  # CPU seconds of 20,000 x 64, about


@dataclass(frozen=True, eq=False)
class Components:
    """Whitening followed by ICA, in display order: contrast descending.

    The sign of a component makes its skewness positive where |skewness| > 3 sqrt(6 / n), else its largest loading.

    whitening : the PCA whitening of the fit rows.
    rotation : (r, r) orthogonal, from whitened coordinates to components.
    gradient : largest relative gradient at the solution; below 1e-6 the fit has converged.
    diagnostics : DataFrame, one row a component: ``negentropy`` (squared distance of E log cosh from its Gaussian
        value, in sample), ``z_heldout`` (held-out non-Gaussianity, standard errors), ``stability`` (share of bootstrap
        refits), ``restart_stability`` (share of restarts), ``second_contrast`` (|r| under kurtosis),
        ``square_dependence`` (largest |rank r| of squares), ``dependence`` (largest distance correlation with another,
        held out), ``dependent_on`` (which; -1 for none), ``dependence_p`` (corrected for the number of pairs),
        ``axis_gain`` (held-out contrast, standard errors, over turning it by 45 degrees with the component where that
        costs least, of those whose squares depend on its own; NaN for none),
        ``identified`` (z_heldout >= 4, stability >= 0.9 and axis_gain not under 2).
    blocks : DataFrame, one row an unidentified component: ``component``, ``block``, ``reason``. Of a block only the
        subspace can be known: see `blocks_of`.
    source : the values given to `fit_components`, (N, D).
    """

    whitening: Whitening
    rotation: np.ndarray
    gradient: float
    diagnostics: pd.DataFrame
    blocks: pd.DataFrame
    source: np.ndarray | None = None

    @property
    def rank(self) -> int:
        return self.whitening.rank

    @property
    def mean(self) -> np.ndarray:
        """(D,)"""
        return self.whitening.mean

    @cached_property
    def unmixing(self) -> np.ndarray:
        """(r, D): components are ``(values - mean) @ unmixing.T``."""
        return self.rotation @ self.whitening.unmixing

    @cached_property
    def mixing(self) -> np.ndarray:
        """(D, r): values are ``mean + components @ mixing.T`` up to the dropped directions."""
        return self.whitening.mixing @ self.rotation.T

    @cached_property
    def values(self) -> np.ndarray:
        """(N, r) components of the rows that were given."""
        if self.source is None:
            raise InvalidInput("These components were read from the cache, without rows; call transform(values).")
        return self.transform(self.source)

    def transform(self, values: np.ndarray) -> np.ndarray:
        """Components of new rows, (n, r) float64."""
        return self.whitening.transform(values) @ self.rotation.T

    def inverse_transform(self, components: np.ndarray) -> np.ndarray:
        """From components back to values, (n, D)."""
        return self.whitening.inverse_transform(components @ self.rotation)

    def to_entry(self) -> Entry:
        """What the disk cache keeps: the fit, not the rows."""
        w = self.whitening
        arrays = {
            "mean": w.mean,
            "eigenvalues": w.eigenvalues,
            "eigenvectors": w.eigenvectors,
            "rotation": self.rotation,
        } | ({} if w.scale is None else {"scale": w.scale})
        return Entry(
            {"diagnostics": self.diagnostics, "blocks": self.blocks},
            arrays,
            {"gradient": self.gradient, "n_fit": w.n_fit},
        )

    @classmethod
    def from_entry(cls, entry: Entry) -> Components:
        arrays, meta = entry.arrays, entry.meta
        whitening = Whitening(
            arrays["mean"], arrays["eigenvalues"], arrays["eigenvectors"], meta["n_fit"], arrays.get("scale")
        )
        tables = entry.tables
        return cls(whitening, arrays["rotation"], meta["gradient"], tables["diagnostics"], tables["blocks"])


def fit_components(
    values: np.ndarray,
    *,
    n_components: int | None = None,
    restarts: int | None = None,
    seed: int = 0,
    heldout: np.ndarray | None = None,
    bootstraps: int = BOOTSTRAPS,
    standardise: bool = False,
    name: str = "The array",
    on_progress: ProgressCallback = ignore,
) -> Components:
    """Whiten and unmix.

    values : (N, D) rows to fit on.
    n_components : leading principal directions kept before ICA (default: the numerical rank).
    restarts : FastICA starts (default 8 for up to 64 directions, fewer above).
    heldout : (n, D) rows for what is read held out. Without them the rows are halved for `z_heldout` and `axis_gain`:
        fitted on one half, read on the other; dependence is then read on the rows of the fit.
    bootstraps : refits behind `stability`.
    standardise : divide each column by its standard deviation first; see `whiten`.
    name : what to call the values in an error. on_progress : called often; raising from it stops the work.

    Raises InvalidInput for NaN, infinite or constant values, and no more rows than directions.

    References: Hyvärinen, IEEE TNN 1999 (FastICA); Ablin, Cardoso and Gramfort, ICASSP 2018 (Picard-O).
    """
    values = _matrix(values, name)
    if n_components is not None and n_components < 1:
        raise InvalidInput(f"n_components is {n_components}; expected a whole number, 1 or more.")
    if restarts is not None and restarts < 1:
        raise InvalidInput(f"restarts is {restarts}; expected a whole number, 1 or more.")
    steps = Steps(on_progress, _STAGES if heldout is not None else _STAGES | {_HALF: _STAGES[_UNMIX]})
    with threads_for(values.shape[1]):
        steps.enter(_WHITEN)
        whitening = whiten(values, n_components, standardise=standardise, name=name)
        found = _unmixed(values, whitening, restarts, seed, steps.enter(_UNMIX))
        read_on = values if heldout is None else _matrix(heldout, name)
        known = evidence(values, read_on, whitening, found, seed, bootstraps, steps.enter(_DIAGNOSE))
        if heldout is None:
            known = _read_on_half(values, whitening, found, known, restarts, seed, steps.enter(_HALF))
    return Components(whitening, found.rotation, found.gradient, *known.judged(), values)


def _unmixed(
    values: np.ndarray, whitening: Whitening, restarts: int | None, seed: int, on_progress: ProgressCallback
) -> Unmixing:
    white = whitening.transform(values)
    found = unmix(white, restarts or default_restarts(whitening.rank), seed, on_progress)
    return _displayed(white, whitening, found)


def _displayed(white: np.ndarray, whitening: Whitening, found: Unmixing) -> Unmixing:
    """The same solution in display order and sign."""
    components = white @ found.rotation.T
    order = np.argsort(-np.abs(non_gaussianity(components)), kind="stable")
    rotation, components = found.rotation[order], components[:, order]
    skewness = (components**3).mean(axis=0)
    loadings = whitening.mixing @ rotation.T
    largest = loadings[np.abs(loadings).argmax(axis=0), np.arange(len(order))]
    skewed = np.abs(skewness) > 3.0 * np.sqrt(6.0 / len(white))
    sign = np.where(np.where(skewed, skewness, largest) < 0, -1.0, 1.0)
    return Unmixing(sign[:, None] * rotation, found.contrast, found.gradient, found.restart_agreement[order])


def _read_on_half(
    values: np.ndarray,
    whitening: Whitening,
    found: Unmixing,
    known: Evidence,
    restarts: int | None,
    seed: int,
    on_progress: ProgressCallback,
) -> Evidence:
    """Where no rows were held out: figures of each component's nearest one in a fit on half of the rows."""
    out, r = heldout_mask(range(len(values)), seed), whitening.rank
    if (~out).sum() <= r + 1 or not out.any():
        unknown = np.full(r, np.nan)  # too few rows to say: unidentified
        return known.read_on(unknown, np.full((r, r), np.nan), np.arange(r))
    half = whiten(values[~out], r, standardise=whitening.scale is not None, name="Half of the rows")
    half_found = _unmixed(values[~out], half, restarts, seed, on_progress)
    on_half = half.transform(values) @ half_found.rotation.T
    nearest = np.abs(correlations(whitening.transform(values) @ found.rotation.T, on_half)).argmax(axis=1)
    fit, heldout = on_half[~out], on_half[out]
    gains = axis_gains(fit, heldout, square_dependence(heldout), seed)
    return known.read_on(heldout_z(fit, heldout), gains, nearest)


def _matrix(values: np.ndarray, name: str) -> np.ndarray:
    matrix = np.asarray(values)
    if matrix.ndim != 2 or not np.issubdtype(matrix.dtype, np.number) or 0 in matrix.shape:
        raise InvalidInput(f"{name} has shape {matrix.shape} and type {matrix.dtype}; expected a matrix of numbers.")
    check_finite(matrix, name)
    return matrix

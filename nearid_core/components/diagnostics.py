"""Which independent components can be believed.

Every measure here sees something that the others miss: held-out non-Gaussianity sees that there is something to find,
the bootstrap that it is found again, the restarts that the optimum is not one of many, a second contrast that it is not
an artefact of the first, the dependence of squares that a block is elliptical and has no preferred axes.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from nearid_core.components.dependence import dependence_table, strongest_dependence
from nearid_core.components.ica import (
    GAUSSIAN_LOGCOSH,
    SAME,
    Unmixing,
    log_cosh,
    non_gaussianity,
    orthogonalised,
    polish,
)
from nearid_core.components.whitening import Whitening, whiten

Z_MIN = 4.0  # held-out non-Gaussianity, standard errors
STABILITY_MIN = 0.9  # share of bootstrap refits
BOOTSTRAPS = 20


def heldout_z(fit: np.ndarray, heldout: np.ndarray) -> np.ndarray:
    """Held-out non-Gaussianity in standard errors, counted in the direction seen on the fit rows; (r,).

    fit, heldout : (n, r) components; columns are standardised here, so that a different variance does not count.
    Noise gives a standard normal, whatever its in-sample contrast.
    """
    direction = np.sign(non_gaussianity(fit))
    standardised = (heldout - heldout.mean(axis=0)) / heldout.std(axis=0)
    return direction * non_gaussianity(standardised) / (gaussian_spread() / np.sqrt(len(heldout)))


def gaussian_spread() -> float:
    """Standard error of the mean contrast of standardised Gaussian data, times sqrt(n).

    The delta method: scaling a column to unit variance takes (E[x tanh x] / 2) (x^2 - 1) off log cosh x.
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(200)
    weights = weights / weights.sum()
    slope = weights @ (nodes * np.tanh(nodes)) / 2.0
    influence = log_cosh(nodes) - GAUSSIAN_LOGCOSH - slope * (nodes**2 - 1.0)
    return float(np.sqrt(weights @ influence**2))


def bootstrap_stability(
    values: np.ndarray, whitening: Whitening, rotation: np.ndarray, seed: int, bootstraps: int = BOOTSTRAPS
) -> np.ndarray:
    """Share of bootstrap refits (whitening and ICA) in which each component comes back at |r| > 0.95; (r,).

    values : (n, D) the fit rows. A refit starts at the solution: what it measures is how far the sample decides, and
    restarts measure the rest. Refitting ends early once no component can still reach STABILITY_MIN.
    """
    rng = np.random.default_rng(seed)
    components = whitening.transform(values) @ rotation.T
    found = np.zeros(whitening.rank)
    lost_allowed = bootstraps * (1.0 - STABILITY_MIN)
    for refits in range(bootstraps):
        if (refits - found > lost_allowed).all():
            return found / refits
        rows = rng.integers(len(values), size=len(values))
        resampled = whiten(values[rows], whitening.rank, standardise=whitening.scale is not None)
        white = resampled.transform(values[rows])
        start = orthogonalised(components[rows].T @ white) if resampled.rank == whitening.rank else None
        if start is None:  # a resample of lower rank finds nothing again
            continue
        refit = resampled.transform(values) @ polish(white, start, tol=1e-4, max_iter=100).T
        found += np.abs(correlations(components, refit)).max(axis=1) > SAME
    return found / bootstraps


def second_contrast(white: np.ndarray, rotation: np.ndarray) -> np.ndarray:
    """|r| of each component with the nearest one under the kurtosis contrast, started from the solution; (r,)."""
    return np.abs(rotation @ polish(white, rotation, contrast="cube", tol=1e-4, max_iter=200).T).max(axis=1)


def square_dependence(components: np.ndarray) -> np.ndarray:
    """Largest |rank correlation| of a component's square with another's; (r,), 0 when there is only one."""
    ranks = pd.DataFrame(components**2).rank().to_numpy()
    between = np.abs(np.atleast_2d(np.corrcoef(ranks, rowvar=False)))
    np.fill_diagonal(between, 0.0)
    return between.max(axis=1)


def diagnose(
    fit: np.ndarray,
    heldout: np.ndarray,
    whitening: Whitening,
    unmixing: Unmixing,
    seed: int,
    bootstraps: int = BOOTSTRAPS,
) -> pd.DataFrame:
    """One row a component, in the order of `unmixing.rotation`.

    fit, heldout : (n, D) values. Columns are described in `Components.diagnostics`.
    """
    white = whitening.transform(fit)
    components = white @ unmixing.rotation.T
    heldout_components = whitening.transform(heldout) @ unmixing.rotation.T
    table = pd.DataFrame(
        {
            "component": np.arange(whitening.rank),
            "negentropy": non_gaussianity(components) ** 2,
            "z_heldout": heldout_z(components, heldout_components),
            "stability": bootstrap_stability(fit, whitening, unmixing.rotation, seed, bootstraps),
            "restart_stability": unmixing.restart_agreement,
            "second_contrast": second_contrast(white, unmixing.rotation),
            "square_dependence": square_dependence(heldout_components),
        }
    ).join(strongest_dependence(dependence_table(heldout_components, seed), whitening.rank))
    return table.assign(identified=identified(table))


def identified(diagnostics: pd.DataFrame, z_min: float = Z_MIN, stability_min: float = STABILITY_MIN) -> pd.Series:
    """Which components pass both thresholds."""
    return (diagnostics["z_heldout"] >= z_min) & (diagnostics["stability"] >= stability_min)


def correlations(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Pearson correlation of every column of a with every column of b; (columns of a, columns of b)."""
    a = (a - a.mean(axis=0)) / a.std(axis=0)
    b = (b - b.mean(axis=0)) / b.std(axis=0)
    return a.T @ b / len(a)

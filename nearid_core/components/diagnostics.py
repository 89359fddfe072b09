"""Which independent components can be believed.

Every measure here sees something that the others miss: held-out non-Gaussianity sees that there is something to find,
the bootstrap that it is found again, the restarts that the optimum is not one of many, a second contrast that it is not
an artefact of the first, the gain over a turned pair that a block is elliptical and has no preferred axes, and the
dependence that is left whether there were independent sources at all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from nearid_core.components.axes import axis_gains, least_gain
from nearid_core.components.blocks import blocks_of
from nearid_core.components.dependence import dependence_table, strongest_dependence
from nearid_core.components.ica import GAUSSIAN_LOGCOSH, Unmixing, log_cosh, non_gaussianity
from nearid_core.components.stability import BOOTSTRAPS, STABILITY_MIN, bootstrap_refits, second_contrast
from nearid_core.components.whitening import Whitening
from nearid_core.progress import ProgressCallback, ignore
from nearid_core.steps import Steps

Z_MIN = 4.0  # held-out non-Gaussianity, standard errors
AXIS_MIN = 2.0  # held-out contrast gained over turning a dependent pair by 45 degrees, standard errors
DEPENDENT = 0.05  # p-value, corrected for the number of pairs
STAGES = {"refitting resampled rows": 20, "another contrast": 2, "dependence between components": 3}


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


def square_dependence(components: np.ndarray) -> np.ndarray:
    """|rank correlation| of every component's square with every other's; (r, r), 0 on the diagonal."""
    ranks = pd.DataFrame(components**2).rank().to_numpy()
    between = np.abs(np.atleast_2d(np.corrcoef(ranks, rowvar=False)))
    np.fill_diagonal(between, 0.0)
    return between


@dataclass(frozen=True, eq=False)
class Evidence:
    """What was measured, before anything is judged.

    table : DataFrame, one row a component; its columns are described in `Components.diagnostics`.
    axis_gains : (r, r), see `axis_gains`. dependent : (r, r) bool. mixing : (r, r), see `Refits`.
    """

    table: pd.DataFrame
    axis_gains: np.ndarray
    dependent: np.ndarray
    mixing: np.ndarray

    def read_on(self, z: np.ndarray, axis_gains: np.ndarray, nearest: np.ndarray) -> Evidence:
        """With the held-out figures of another fit; nearest : (r,) its component for each of these."""
        table = self.table.assign(z_heldout=z[nearest], axis_gain=least_gain(axis_gains)[nearest])
        return replace(self, table=table, axis_gains=axis_gains[np.ix_(nearest, nearest)])

    def judged(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """The diagnostics, and the blocks that the unidentified components form."""
        table = self.table.assign(identified=identified(self.table))
        gaussian = ~(table["z_heldout"] >= Z_MIN).to_numpy()
        return table, blocks_of(table, gaussian, self.dependent | (self.axis_gains < AXIS_MIN), self.mixing)


def evidence(
    fit: np.ndarray,
    heldout: np.ndarray,
    whitening: Whitening,
    unmixing: Unmixing,
    seed: int,
    bootstraps: int = BOOTSTRAPS,
    on_progress: ProgressCallback = ignore,
) -> Evidence:
    """Of each component, in the order of `unmixing.rotation`; fit, heldout : (n, D) values."""
    steps, (refitting, contrast, dependence) = Steps(on_progress, STAGES), STAGES
    refits = bootstrap_refits(fit, whitening, unmixing.rotation, seed, bootstraps, steps.enter(refitting))
    white = whitening.transform(fit)
    components = white @ unmixing.rotation.T
    heldout_components = whitening.transform(heldout) @ unmixing.rotation.T
    steps.enter(contrast)
    second = second_contrast(white, unmixing.rotation)
    steps.enter(dependence)
    squares = square_dependence(heldout_components)
    gains = axis_gains(components, heldout_components, squares, seed)
    pairs = dependence_table(heldout_components, seed)
    table = pd.DataFrame(
        {
            "component": np.arange(whitening.rank),
            "negentropy": non_gaussianity(components) ** 2,
            "z_heldout": heldout_z(components, heldout_components),
            "stability": refits.stability,
            "restart_stability": unmixing.restart_agreement,
            "second_contrast": second,
            "square_dependence": squares.max(axis=1),
            "axis_gain": least_gain(gains),
        }
    ).join(strongest_dependence(pairs, whitening.rank))
    return Evidence(table, gains, _dependent(pairs, whitening.rank), refits.mixing)


def _dependent(pairs: pd.DataFrame, r: int) -> np.ndarray:
    dependent = np.zeros((r, r), dtype=bool)
    dependent[pairs["component"], pairs["other"]] = pairs["p_value"] <= DEPENDENT
    return dependent | dependent.T


def identified(
    diagnostics: pd.DataFrame,
    z_min: float = Z_MIN,
    stability_min: float = STABILITY_MIN,
    axis_min: float = AXIS_MIN,
) -> pd.Series:
    """Which components pass all thresholds; an `axis_gain` of NaN, of a component without dependent others, passes."""
    found = (diagnostics["z_heldout"] >= z_min) & (diagnostics["stability"] >= stability_min)
    return found & ~(diagnostics["axis_gain"] < axis_min)

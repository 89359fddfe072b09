"""Whether the axes of a pair of components are there, or any rotation of the pair would do as well.

An elliptical block (points on a sphere, a Gaussian of random scale) is far from Gaussian along every axis, and a
bootstrap resample shares the accidents that chose between them, so that its refits often find the same axes again. What
gives it away is read on rows that nothing was fitted on: turning the pair by 45 degrees costs no contrast. Components
that are independent and non-Gaussian always lose by it (Darmois and Skitovich), so only pairs whose squares are
dependent are asked.
"""

from __future__ import annotations

import numpy as np

from nearid_core.components.ica import GAUSSIAN_LOGCOSH, log_cosh
from nearid_core.components.sampling import drawn

_WORK = 40_000_000  # rows times squared number of components: a few seconds
SQUARES_Z = 4.0  # rank correlation of squares from which a pair counts as dependent, standard errors


def axis_gains(fit: np.ndarray, heldout: np.ndarray, squares: np.ndarray, seed: int = 0) -> np.ndarray:
    """Held-out contrast that each pair gains over itself turned by 45 degrees, in standard errors.

    fit, heldout : (n, r) components, of which 10,000 rows are drawn with the seed where there are 64 components, fewer
        where there are more; squares : (r, r) |rank correlation| of their squares on the held-out rows.

    Returns (r, r), symmetric: about standard normal for a pair without preferred axes, NaN where squares show no
    dependence. Contrast is counted in the direction that each axis, turned or not, shows on the fit rows: with its
    magnitude, noise would count as contrast.
    """
    r = fit.shape[1]
    gains = np.full((r, r), np.nan)
    dependent = squares * np.sqrt(len(heldout)) >= SQUARES_Z
    rows = max(2000, _WORK // r**2)
    fit, heldout = (of[drawn(np.arange(len(of)), rows, seed)] for of in (fit, heldout))
    own = _contrast(fit, heldout)
    for i in range(r - 1):
        j = i + 1 + np.flatnonzero(dependent[i, i + 1 :])
        if len(j):
            gains[i, j] = gains[j, i] = _z(own[:, [i]] + own[:, j] - _turned(fit, heldout, i, j))
    return gains


def least_gain(gains: np.ndarray) -> np.ndarray:
    """(r,) of each component with the dependent one where it gains least; NaN where there is none."""
    least = np.where(np.isnan(gains), np.inf, gains).min(axis=1)
    return np.where(np.isinf(least), np.nan, least)


def _turned(fit: np.ndarray, heldout: np.ndarray, i: int, j: np.ndarray) -> np.ndarray:
    """Contrast of both diagonals of the planes (i, j), (n, len(j))."""
    half = np.sqrt(0.5)
    along = _contrast(half * (fit[:, [i]] + fit[:, j]), half * (heldout[:, [i]] + heldout[:, j]))
    return along + _contrast(half * (fit[:, [i]] - fit[:, j]), half * (heldout[:, [i]] - heldout[:, j]))


def _contrast(fit: np.ndarray, heldout: np.ndarray) -> np.ndarray:
    """What each held-out row adds to the contrast of its columns, (n, columns); its mean is their contrast.

    The delta method: columns are standardised by their own mean and standard deviation, which takes E[tanh x] x and
    (E[x tanh x] / 2) (x^2 - 1) off log cosh x.
    """
    direction = np.sign(log_cosh(_standardised(fit)).mean(axis=0) - GAUSSIAN_LOGCOSH)
    x = _standardised(heldout)
    slope = np.tanh(x)
    drift = slope.mean(axis=0) * x + (x * slope).mean(axis=0) / 2.0 * (x**2 - 1.0)
    return direction * (log_cosh(x) - GAUSSIAN_LOGCOSH - drift)


def _standardised(columns: np.ndarray) -> np.ndarray:
    return (columns - columns.mean(axis=0)) / columns.std(axis=0)


def _z(rows: np.ndarray) -> np.ndarray:
    """Means in standard errors; 0 where the rows do not differ."""
    spread = rows.std(axis=0) / np.sqrt(len(rows))
    return np.divide(rows.mean(axis=0), spread, out=np.zeros(rows.shape[1]), where=spread > 0)

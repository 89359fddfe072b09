"""Whether a component is found again: in bootstrap resamples, and under another contrast."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nearid_core.components.correlation import correlations
from nearid_core.components.ica import SAME, orthogonalised, polish
from nearid_core.components.whitening import Whitening, whiten
from nearid_core.progress import Progress, ProgressCallback, ignore

STABILITY_MIN = 0.9  # share of bootstrap refits
BOOTSTRAPS = 20


@dataclass(frozen=True, eq=False)
class Refits:
    """What bootstrap refits found.

    stability : (r,) share in which each component comes back at |r| > 0.95.
    mixing : (r, r) what each component is made of when it comes back: the mean squared correlation of its nearest
        refitted component with each of the components. The identity where nothing mixes.
    """

    stability: np.ndarray
    mixing: np.ndarray


def bootstrap_refits(
    values: np.ndarray,
    whitening: Whitening,
    rotation: np.ndarray,
    seed: int,
    bootstraps: int = BOOTSTRAPS,
    on_progress: ProgressCallback = ignore,
) -> Refits:
    """Whitening and ICA of resampled rows.

    values : (n, D) the fit rows. A refit starts at the solution: what it measures is how far the sample decides, and
    restarts measure the rest. Refitting ends early once no component can still reach STABILITY_MIN.
    """
    rng = np.random.default_rng(seed)
    components = whitening.transform(values) @ rotation.T
    r = whitening.rank
    found, mixing = np.zeros(r), np.zeros((r, r))
    lost_allowed = bootstraps * (1.0 - STABILITY_MIN)
    refits = refitted = 0
    while refits < bootstraps and not (refits - found > lost_allowed).all():
        on_progress(Progress("refitting resampled rows", refits, bootstraps, 0.0))
        refit = _refit(values, whitening, components, rng.integers(len(values), size=len(values)))
        refits += 1
        if refit is None:
            continue
        refitted += 1
        r2 = correlations(components, refit) ** 2
        found += r2.max(axis=1) > SAME**2
        mixing += r2[:, r2.argmax(axis=1)].T
    return Refits(found / max(refits, 1), mixing / refitted if refitted else np.eye(r))


def _refit(values: np.ndarray, whitening: Whitening, components: np.ndarray, rows: np.ndarray) -> np.ndarray | None:
    """Components of all rows fitted on these; None for rows of lower rank, which find nothing again."""
    resampled = whiten(values[rows], whitening.rank, standardise=whitening.scale is not None)
    if resampled.rank < whitening.rank:
        return None
    white = resampled.transform(values[rows])
    start = orthogonalised(components[rows].T @ white)
    return resampled.transform(values) @ polish(white, start, tol=1e-4, max_iter=100).T


def second_contrast(white: np.ndarray, rotation: np.ndarray) -> np.ndarray:
    """|r| of each component with the nearest one under the kurtosis contrast, started from the solution; (r,).

    Components that both contrasts find are reached in a few steps. The cut is for close to Gaussian directions, which
    drift for hundreds and have no nearest one to be told.
    """
    return np.abs(rotation @ polish(white, rotation, contrast="cube", tol=1e-3, max_iter=20).T).max(axis=1)

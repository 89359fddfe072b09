from __future__ import annotations

import numpy as np

from nearid_core.align.groups.base import Alignment, Paired


class Rigid(Alignment):
    """zQ + t, Q orthogonal: rotations and reflections. Orthogonal Procrustes (Schönemann 1966).

    >>> import numpy as np
    >>> z = np.random.default_rng(0).normal(size=(100, 3))
    >>> q = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
    >>> bool(np.allclose(Rigid().fit(z, z @ q).matrix_, q))
    True
    """

    name = "rigid"
    description = "rotation or reflection: distances are kept"

    def _solve(self, pair: Paired) -> tuple[np.ndarray, float]:
        u, _, vt = np.linalg.svd(pair.cross)
        return (u @ vt)[: pair.other.shape[1]], 1.0


class Similarity(Alignment):
    """s zQ + t: a rigid map and one scale for all directions."""

    name = "similarity"
    description = "rotation or reflection with one scale"

    def _solve(self, pair: Paired) -> tuple[np.ndarray, float]:
        u, singular, vt = np.linalg.svd(pair.cross)
        return (u @ vt)[: pair.other.shape[1]], float(singular.sum() / (pair.other**2).sum())

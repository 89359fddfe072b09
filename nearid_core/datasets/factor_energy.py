"""How much of the pixels' variance each factor causes, and ranges under which all cause the same."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from nearid_core.datasets._rendered import Render, draw_factors, render_in_blocks

ROUNDS = 6
PAIRS = 384  # images and their counterparts, a factor and round: energies are then known to about 6%


def factor_energies(render: Render, factors: np.ndarray, others: np.ndarray) -> np.ndarray:
    """(factors,) pixel variance that is gone when a factor is held fixed, summed over pixels.

    The total-effect variance: half the mean square by which an image changes when one factor is drawn again.

    factors, others : (n, factors), two independent draws.

    Source: Jansen (1999), Analysis of variance designs for model output, Computer Physics Communications 117.
    """
    before = render_in_blocks(render, factors)
    energies = []
    for j in range(factors.shape[1]):
        changed = factors.copy()
        changed[:, j] = others[:, j]
        energies.append(np.square(render_in_blocks(render, changed) - before).sum() / (2 * len(factors)))
    return np.array(energies)


def equal_spans(render: Render, law: str, levels: Sequence[int | None], kind: int | None = None) -> np.ndarray:
    """(factors,) share of its range, about the middle, that each factor keeps so that all energies are alike.

    One factor keeps all of it: `kind` where there is one, else the weakest.

    kind : the factor whose values are kinds and no numbers, so that it cannot be narrowed.

    Energy goes with the square of the span where a factor changes colours and with the span where it moves edges; the
    exponent suits both.
    """
    rng = np.random.default_rng(0)
    factors, others = (draw_factors(rng, PAIRS, law, levels) for _ in range(2))
    spans = np.ones(len(levels))
    for _ in range(ROUNDS):
        energies = factor_energies(narrow(render, spans), factors, others)
        target = energies.min() if kind is None else energies[kind]
        spans *= (target / energies) ** 0.65
        spans = spans / spans.max() if kind is None else np.minimum(spans, 1)
    return spans.round(3)


def narrow(render: Render, spans: np.ndarray) -> Render:
    """Renders factors in [0, 1] as if they went over the middle share `spans` of it."""
    return partial(_narrowly, render, spans)


def _narrowly(render: Render, spans: np.ndarray, factors: np.ndarray) -> np.ndarray:
    return render((0.5 + (factors - 0.5) * spans).astype(np.float32))

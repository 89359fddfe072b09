"""Components and blocks of a run in its other runs, and the samples at a component's ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from nearid_core.components import BlockedRows, block_angles, correlations
from nearid_core.components.of_run import run_halves
from nearid_core.factors.matching import matched
from nearid_core.factors.of_run import live_components
from nearid_core.factors.spaces import coordinates_of
from nearid_core.runs import Run


@dataclass(frozen=True, eq=False)
class Seen:
    """Coordinates of a run's held-out samples in one space.

    sample_ids : (n,); values : (n, d). identified : (d,) bool of independent components, None in other spaces.
    """

    sample_ids: np.ndarray
    values: np.ndarray
    identified: np.ndarray | None = None

    def ends(self, component: int, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Ids of the samples with the lowest and with the highest values of a component, outermost first."""
        order = np.argsort(self.values[:, component], kind="stable")
        return self.sample_ids[order[:count]], self.sample_ids[order[::-1][:count]]


@dataclass(frozen=True)
class Partner:
    """component : of the other run, or None where it has none left; r : their correlation, signed."""

    component: int | None
    r: float


def held_out_coordinates(run: Run, layer: str, space: str, *, samples: str = "test", split_seed: int = 0) -> Seen:
    """The first draw of a space, on the samples that it was not fitted on."""
    halves = run_halves(run, samples, split_seed)
    rows = halves.rows[halves.heldout]
    fitted = live_components(run, layer, samples=samples, split_seed=split_seed)
    at = coordinates_of([space], fitted, split_seed)[0]
    ids = run.samples["sample_id"].astype(str).to_numpy()[rows]
    identified = fitted.diagnostics["identified"].to_numpy() if space == "ica" else None
    return Seen(ids, at(run.representation(layer).values[rows]), identified)


def partners(reference: Seen, component: int, others: Mapping[str, Seen]) -> dict[str, Partner]:
    """The component of each other run that the assignment on |correlation|, over all components, gives to this one."""
    found = {}
    for name, other in others.items():
        shared, mine, theirs = np.intersect1d(reference.sample_ids, other.sample_ids, return_indices=True)
        if len(shared) < 3:
            found[name] = Partner(None, 0.0)
            continue
        r = correlations(reference.values[mine], other.values[theirs])
        number = int(matched(np.abs(r))[component])
        found[name] = Partner(None, 0.0) if number < 0 else Partner(number, float(r[component, number]))
    return found


def blocks_between(
    run: Run, others: Sequence[Run], layer: str, *, samples: str = "test", split_seed: int = 0, shuffles: int = 20
) -> pd.DataFrame:
    """Blocks of unidentified components of a run that are found again in others; see `block_angles`.

    One row a (run, block), on the samples that both runs have; ``run`` is the other one.
    """
    found = []
    for other in others:
        ids = [one.samples["sample_id"].astype(str).to_numpy() for one in (run, other)]
        halves = [run_halves(one, samples, split_seed) for one in (run, other)]
        parts = [
            np.intersect1d(*(i[h.rows[h.heldout == out]] for i, h in zip(ids, halves, strict=True)))
            for out in (False, True)
        ]
        if min(len(part) for part in parts) < 3:
            continue
        mine, theirs = (_blocked(one, layer, parts, samples, split_seed) for one in (run, other))
        rng = np.random.default_rng(split_seed)
        orders = np.stack([rng.permutation(len(parts[1])) for _ in range(shuffles)])
        found.append(block_angles(mine, theirs, orders).assign(run=other.id))
    return pd.concat(found, ignore_index=True) if found else pd.DataFrame()


def _blocked(run: Run, layer: str, parts: Sequence[np.ndarray], samples: str, split_seed: int) -> BlockedRows:
    fitted = live_components(run, layer, samples=samples, split_seed=split_seed)
    index = pd.Index(run.samples["sample_id"].astype(str))
    values = run.representation(layer).values
    fit, heldout = (fitted.transform(values[index.get_indexer(pd.Index(part))]) for part in parts)
    return BlockedRows(fit, heldout, fitted.blocks)

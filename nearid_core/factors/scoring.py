"""`score_factors`: from a representation and its known factors to a report."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from nearid_core.components import Components, fit_components, heldout_mask, whiten
from nearid_core.components.sampling import drawn
from nearid_core.errors import InvalidInput
from nearid_core.factors.chance import HALVES, PERMUTATIONS
from nearid_core.factors.directions import direction_table, live_directions
from nearid_core.factors.information_scores import factor_notes, reading_notes
from nearid_core.factors.known_factors import BINS, FactorTable
from nearid_core.factors.paired import FEWEST, paired
from nearid_core.factors.reading import Reading
from nearid_core.factors.report import FactorReport
from nearid_core.factors.rows import Asked, association_rows, score_rows
from nearid_core.factors.scores import scores_of
from nearid_core.factors.settings import DEFAULT_SCORES, DEFAULT_SPACES
from nearid_core.factors.spaces import SPACES, coordinates_of
from nearid_core.factors.variants import VARIANTS
from nearid_core.progress import ProgressCallback, ignore
from nearid_core.runs import Representation
from nearid_core.steps import Steps
from nearid_core.threads import threads_for

COMPONENTS_MAX = 64
ROWS = 5000
_FIT = "independent components"


def score_factors(
    values: np.ndarray | Representation,
    factors: pd.DataFrame | np.ndarray,
    *,
    scores: Sequence[str] = DEFAULT_SCORES,
    spaces: Sequence[str] = DEFAULT_SPACES,
    bins: int = BINS,
    variant: str = "reference",
    rows: int = ROWS,
    permutations: int = PERMUTATIONS,
    halves: int = HALVES,
    split_seed: int = 0,
    heldout: np.ndarray | None = None,
    components: Components | None = None,
    on_progress: ProgressCallback = ignore,
) -> FactorReport:
    """Hold the components of a representation against known factors.

    Whitening and ICA are fitted on one half of the samples, on the directions that are active; everything is read on
    the other half.

    values : (N, D). factors : one row for each of the same samples, one column a factor, numbers or names.
    scores : any of ``infomec``, ``mcc``, ``mig``, ``sap``, ``dci`` (minutes). spaces : any of ``raw``, ``pca``,
        ``random``, ``ica``.
    bins : classes that a continuous factor is cut into. variant : of InfoMEC; see `infomec`.
    rows : held-out samples that are read at most, drawn with the seed; scores by neighbours are slow.
    permutations, halves : behind nulls and intervals. heldout : (N,) bool, where the halves were decided elsewhere.
    components : a fit on the fit half to use. on_progress : called often; raising from it stops the work.

    Raises InvalidInput for arrays that do not fit each other, missing, NaN or infinite values, or unknown names.

    >>> rng = np.random.default_rng(0)
    >>> factors = rng.uniform(size=(1000, 3))
    >>> report = score_factors(factors @ rng.normal(size=(3, 3)), factors, permutations=9, halves=9)
    >>> report.verdict.split(".")[0]
    'ICA finds the factors'
    """
    scores, spaces = ((one,) if isinstance(one, str) else tuple(one) for one in (scores, spaces))
    if not scores or not spaces:
        raise InvalidInput(f"There are {len(scores)} scores and {len(spaces)} spaces; expected one or more of both.")
    asked = Asked(tuple(scores_of(scores)), VARIANTS[variant], permutations, halves, split_seed)
    array = np.asarray(values.values if isinstance(values, Representation) else values)
    checked, table = paired(array, factors, bins)
    if not table.varying.any():
        raise InvalidInput(f"{', '.join(table.names)} is constant: a factor needs two values or more to be found.")
    out = _heldout(values, heldout, len(checked), split_seed)
    judged = drawn(np.flatnonzero(out), rows, split_seed)
    labels = {label: asked.weight(space) for space in spaces for label in SPACES[space].labels}
    steps = Steps(on_progress, {_FIT: 20} | labels)
    with threads_for(checked.shape[1]):
        fitted, spectrum, notes = _fit(array[~out], array[out], components, steps.enter(_FIT))
        held = table.take(judged)
        notes += factor_notes(held)
        tables, pairs = [], []
        for one in coordinates_of(spaces, fitted, split_seed):
            at = one(checked[judged])
            reading = Reading(at, held, one.active(at, asked.variant), variant=variant, seed=split_seed)
            tables.append(score_rows(one, reading, fitted, asked, steps.enter(one.label)))
            if one.draw == 0:
                pairs.append(association_rows(one, reading, fitted))
                notes += [f"{SPACES[one.space].title}: {note}" for note in reading_notes(reading)]
    return FactorReport(
        table=pd.concat(tables, ignore_index=True),
        associations=pd.concat(pairs, ignore_index=True),
        directions=spectrum,
        components=fitted,
        settings=_settings(table, asked, spaces, bins) | {"n_fit": int((~out).sum()), "n_scored": len(judged)},
        notes=tuple(notes),
    )


def _heldout(values: np.ndarray | Representation, given: np.ndarray | None, n: int, seed: int) -> np.ndarray:
    """(n,) bool: as given, else by the samples' ids, else by their places."""
    ids = values.sample_ids if isinstance(values, Representation) else None
    out = heldout_mask(range(n) if ids is None else ids, seed) if given is None else np.asarray(given, bool)
    if out.shape != (n,):
        raise InvalidInput(f"heldout has shape {out.shape}; expected true or false for each of {n} samples.")
    if min(out.sum(), (~out).sum()) < FEWEST:
        raise InvalidInput(
            f"There are {n} samples, {int((~out).sum())} to fit on and {int(out.sum())} to read on; {FEWEST} of each "
            f"are the fewest."
        )
    return out


def _fit(
    fit: np.ndarray, heldout: np.ndarray, components: Components | None, on_progress: ProgressCallback
) -> tuple[Components, pd.DataFrame, list[str]]:
    """The components of the active directions, the spectrum of all, and what to say about that."""
    name = "The fit half of the representation"
    eigenvalues = whiten(fit, name=name).eigenvalues
    live = live_directions(eigenvalues)
    kept = min(live, COMPONENTS_MAX)
    fitted = components or fit_components(fit, heldout=heldout, n_components=kept, name=name, on_progress=on_progress)
    notes = []
    if live < fit.shape[1]:
        notes.append(
            f"{live} of {fit.shape[1]} directions are active (standard deviation above 1/20 of the largest); the "
            f"others are left out before whitening."
        )
    if fitted.rank < live:
        notes.append(f"Of the {live} active directions the first {fitted.rank} are analysed.")
    return fitted, direction_table(eigenvalues), notes


def _settings(table: FactorTable, asked: Asked, spaces: Sequence[str], bins: int) -> dict[str, object]:
    return {
        "factors": list(table.names),
        "classes": table.classes.tolist(),
        "binned": table.binned.tolist(),
        "ordered": table.ordered.tolist(),
        "bins": bins,
        "spaces": list(spaces),
        "scores": [score.name for score in asked.scores],
        "variant": asked.variant.name,
        "permutations": asked.permutations,
        "halves": asked.halves,
        "split_seed": asked.seed,
    }

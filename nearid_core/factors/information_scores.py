"""InfoMEC: modularity, explicitness and compactness from mutual information (Hsu et al., NeurIPS 2023)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from nearid_core.errors import InvalidInput
from nearid_core.factors.chance import HALVES, PERMUTATIONS, chance_of
from nearid_core.factors.known_factors import BINS, FactorTable
from nearid_core.factors.paired import paired
from nearid_core.factors.reading import Reading
from nearid_core.factors.scores import SCORES
from nearid_core.factors.variants import VARIANTS


@dataclass(frozen=True, eq=False)
class InfoMEC:
    """The three scores, with what chance gives.

    modularity : InfoM, whether each active latent says something about one factor only.
    explicitness : InfoE, what a linear classifier on all latents knows of the factors, in sample as published;
        explicitness_heldout : the same on rows that it was not fitted on.
    compactness : InfoC, whether each factor is said by one latent only.
    nmi : DataFrame, factors by latents. active : (D,) bool, the latents that count.
    null : DataFrame, rows ``modularity`` and ``compactness``: ``null_mean``, ``null_q95`` and ``p_value`` over
        permutations of the samples, and the 95 % interval ``low`` to ``high``.
    variant : which of the published codes was followed.
    notes : what was left out, and why.

    A score that is not defined (one factor, one active latent, ...) is nan. Chance is not 0: of pure noise InfoM is
    about .63 at 2,000 rows. InfoM alone rewards collapse, since a code of one live latent is perfectly modular: it
    means something only beside the number of active latents, InfoE and MCC.
    """

    modularity: float
    explicitness: float
    explicitness_heldout: float
    compactness: float
    nmi: pd.DataFrame
    active: np.ndarray
    null: pd.DataFrame
    variant: str
    notes: tuple[str, ...] = ()


def infomec(
    latents: np.ndarray,
    factors: pd.DataFrame | np.ndarray,
    *,
    variant: str = "reference",
    bins: int = BINS,
    discrete: bool | None = None,
    active: np.ndarray | None = None,
    permutations: int = PERMUTATIONS,
    halves: int = HALVES,
    seed: int = 0,
    step: Callable[[], None] = lambda: None,
) -> InfoMEC:
    """InfoM, InfoE and InfoC of a code.

    latents : (n, D). factors : (n, K), numbers or names; continuous ones are cut into `bins` classes of equal size.
    variant : ``reference`` (the authors' stand-alone file) or another of `nearid_core.factors.VARIANTS`.
    discrete : latents are classes; None: when their type is a whole number.
    active : (D,) bool, the latents that count, where that is known better than from their spread: whitened latents all
        have the same one.
    permutations : of the rows, behind the null; 0 for none. halves : of the rows, behind the intervals.
    step : called after each of these.

    Raises InvalidInput for arrays that do not fit each other, missing, NaN or infinite values, an unknown variant.
    """
    values, table = paired(latents, factors, bins)
    rule = VARIANTS[variant]
    as_classes = np.issubdtype(np.asarray(latents).dtype, np.integer) if discrete is None else discrete
    live = rule.active(values, as_classes) if active is None else _checked_active(active, values.shape[1])
    reading = Reading(values, table, live, as_classes, variant, seed)
    with_null = [SCORES["infom"], SCORES["infoc"]]
    chance = chance_of(reading, with_null, permutations=permutations, halves=halves, seed=seed, step=step)
    return InfoMEC(
        modularity=SCORES["infom"].of(reading),
        compactness=SCORES["infoc"].of(reading),
        explicitness=SCORES["infoe"].of(reading),
        explicitness_heldout=SCORES["infoe_heldout"].of(reading),
        nmi=pd.DataFrame(reading.nmi, index=pd.Index(table.names, name="factor")),
        active=live,
        null=chance.set_index(pd.Index(["modularity", "compactness"], name="score")),
        variant=variant,
        notes=(*factor_notes(table), *reading_notes(reading)),
    )


def _checked_active(active: np.ndarray, width: int) -> np.ndarray:
    live = np.asarray(active)
    if live.shape != (width,) or live.dtype != bool:
        raise InvalidInput(f"active has shape {live.shape} and type {live.dtype}; expected {width} of true or false.")
    return live


def factor_notes(table: FactorTable) -> list[str]:
    """What a reader of the scores has to know of these factors, a sentence each."""
    notes = []
    constant = [name for name, varies in zip(table.names, table.varying, strict=True) if not varies]
    if constant:
        notes.append(f"{', '.join(constant)} is constant here and does not count.")
    if table.varying.sum() == 1:
        notes.append("With one factor InfoM is not defined: every latent that says anything says it alone.")
    return notes


def reading_notes(reading: Reading) -> list[str]:
    """What a reader of InfoM and InfoC has to know of these latents, a sentence each."""
    active = reading.active
    notes = []
    if active.sum() == 1:
        notes.append("With one active latent InfoC is not defined: every factor that is said is said by it.")
    silent = int((active & ~(reading.nmi > 0).any(axis=0)).sum())
    if silent:
        notes.append(f"{silent} of {int(active.sum())} active latents say nothing about any factor and do not count.")
    return notes

"""Scores of a code against known factors, and what each of them cannot see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nearid_core.factors.dci import dci
from nearid_core.factors.explicitness import held_out, in_sample
from nearid_core.factors.gaps import mutual_information_gap, separated_predictability
from nearid_core.factors.matching import mean_correlation
from nearid_core.factors.modularity import compactness, modularity
from nearid_core.factors.reading import Reading
from nearid_core.registry import Registry


@dataclass(frozen=True)
class Score:
    """One number; larger is better.

    group : what it is asked for by ("infomec"). source : where it is defined. blind_to : what it cannot see.
    has_null : whether it is read on permuted rows and on halves, too; the others are too slow, or held-out already.
    """

    name: str
    title: str
    group: str
    description: str
    source: str
    blind_to: str
    of: Callable[[Reading], float]
    has_null: bool = True


SCORES: Registry[Score] = Registry("score")

_HSU = "Hsu et al., NeurIPS 2023"


def score_groups() -> list[str]:
    """What ``score_factors(scores=...)`` takes."""
    return list(dict.fromkeys(score.group for score in SCORES))


def scores_of(groups: tuple[str, ...]) -> list[Score]:
    """The scores of these groups, in the registry's order; raises InvalidInput for a group that there is not."""
    from nearid_core.errors import InvalidInput
    from nearid_core.registry import unknown

    for group in groups:
        if group not in score_groups():
            raise InvalidInput(unknown("score", group, score_groups()))
    return [score for score in SCORES if score.group in groups]


def _infom(reading: Reading) -> float:
    return modularity(_told(reading))


def _infoc(reading: Reading) -> float:
    return compactness(_told(reading))


def _told(reading: Reading) -> np.ndarray:
    """NMI with the active latents of the factors that vary."""
    return reading.nmi[reading.table.varying][:, reading.active]


def _infoe(reading: Reading) -> float:
    return _mean(in_sample(reading.latents, _varying(reading), discrete=reading.discrete))


def _infoe_heldout(reading: Reading) -> float:
    return _mean(held_out(reading.latents, _varying(reading), discrete=reading.discrete, seed=reading.seed))


def _varying(reading: Reading) -> np.ndarray:
    return reading.table.codes[:, reading.table.varying]


def _mean(each: np.ndarray) -> float:
    """Over the factors for which it is defined; nan where there are none."""
    known = each[~np.isnan(each)]
    return float(known.mean()) if len(known) else float("nan")


def _mcc(reading: Reading) -> float:
    return mean_correlation(reading.pearson[reading.table.varying])


def _mcc_ranks(reading: Reading) -> float:
    return mean_correlation(reading.spearman[reading.table.varying])


def _mig(reading: Reading) -> float:
    return mutual_information_gap(reading.latents, reading.table)


def _sap(reading: Reading) -> float:
    return separated_predictability(reading.latents, reading.table)


def _dci(reading: Reading) -> float:
    return dci(reading.latents, reading.table, seed=reading.seed).disentanglement


for _score in (
    Score(
        "infom",
        "InfoM",
        "infomec",
        "modularity: each active latent says something about one factor only",
        _HSU,
        "collapse: a code of one live latent is perfectly modular, so it means nothing without MCC and InfoE",
        _infom,
    ),
    Score(
        "infoe",
        "InfoE",
        "infomec",
        "explicitness: what a linear classifier on all latents knows of the factors, on the rows it was fitted on",
        _HSU,
        "mixing: any rotation of the latents has the same, and more latents fit better",
        _infoe,
        has_null=False,
    ),
    Score(
        "infoe_heldout",
        "InfoE held out",
        "infomec",
        "explicitness on rows that the classifier was not fitted on",
        _HSU + ", read on the other half of the rows",
        "mixing: any rotation of the latents has the same",
        _infoe_heldout,
        has_null=False,
    ),
    Score(
        "infoc",
        "InfoC",
        "infomec",
        "compactness: each factor is said by one active latent only",
        _HSU,
        "a factor that no latent says, and two factors said by one latent",
        _infoc,
    ),
    Score(
        "mcc",
        "MCC",
        "mcc",
        "mean |Pearson correlation| of each factor with the latent assigned to it; factors left without one count as 0",
        "Hyvärinen and Morioka, NeurIPS 2016",
        "relations that are not linear, and a second factor within a latent",
        _mcc,
    ),
    Score(
        "mcc_spearman",
        "MCC (ranks)",
        "mcc",
        "mean |Spearman correlation| of each factor with the latent assigned to it",
        "Hyvärinen and Morioka, NeurIPS 2016",
        "relations that are not monotone, such as an angle over a whole turn",
        _mcc_ranks,
    ),
    Score(
        "mig",
        "MIG",
        "mig",
        "gap in information between the best latent of a factor and the second best, 20 bins of equal width",
        "Chen et al., NeurIPS 2018",
        "two factors within one latent",
        _mig,
    ),
    Score(
        "sap",
        "SAP",
        "sap",
        "gap in squared correlation between the best latent of a factor and the second best (the continuous form)",
        "Kumar et al., ICLR 2018",
        "two factors within one latent, and relations that are not linear",
        _sap,
    ),
    Score(
        "dci",
        "DCI",
        "dci",
        "disentanglement: what each latent is worth to boosted trees is worth it for one factor only",
        "Eastwood and Williams, ICLR 2018",
        "latents that no tree needs, since they weigh nothing; minutes of computation",
        _dci,
        has_null=False,
    ),
):
    SCORES.register(_score)

"""DCI: disentanglement, completeness and informativeness from boosted trees (Eastwood and Williams, ICLR 2018)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nearid_core.factors.information import entropy
from nearid_core.factors.known_factors import FactorTable

HELD_OUT = 0.25


@dataclass(frozen=True, eq=False)
class DCI:
    """importance : (factors, latents), what each latent is worth to the trees that predict each factor.

    informativeness : accuracy on held-out rows, mean over factors. chance : of always guessing the commonest class.
    """

    disentanglement: float
    completeness: float
    informativeness: float
    chance: float
    importance: np.ndarray


def dci(latents: np.ndarray, table: FactorTable, *, seed: int = 0, step: Callable[[], None] = lambda: None) -> DCI:
    """Gradient-boosted trees for each factor, scikit-learn's defaults, fitted on three quarters of the rows.

    Takes minutes for thousands of rows with many classes: 100 trees a class. step : called after each factor.

    Constant factors are left out; all nan without others.
    """
    from sklearn.ensemble import GradientBoostingClassifier

    order = np.random.default_rng(seed).permutation(len(latents))
    fit, out = np.split(order, [round(len(order) * (1 - HELD_OUT))])
    importance, accuracy, chance = [], [], []
    for column in table.codes[:, table.varying].T:
        model = GradientBoostingClassifier(random_state=seed).fit(latents[fit], column[fit])
        importance.append(np.abs(model.feature_importances_))
        accuracy.append(float((model.predict(latents[out]) == column[out]).mean()))
        chance.append(float((np.bincount(column[fit]).argmax() == column[out]).mean()))
        step()
    if not importance:
        return DCI(np.nan, np.nan, np.nan, np.nan, np.zeros((0, latents.shape[1])))
    shares = np.stack(importance)
    return DCI(
        disentanglement=weighted_concentration(shares.T),
        completeness=weighted_concentration(shares),
        informativeness=float(np.mean(accuracy)),
        chance=float(np.mean(chance)),
        importance=shares,
    )


def weighted_concentration(importance: np.ndarray) -> float:
    """1 - entropy of each row (base: its length), weighted by the row's sum; nan for a single column."""
    width = importance.shape[1]
    if width < 2:
        return float("nan")
    weight = importance.sum(axis=1)
    if weight.sum() == 0:
        return 0.0
    each = [1 - entropy(row) / np.log(width) if row.sum() > 0 else 0.0 for row in importance]
    return float(np.average(each, weights=weight))

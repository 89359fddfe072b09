"""Which of the paper's claims about disentanglement come out here."""

from __future__ import annotations

import pandas as pd

from nearid_core.paper.disentanglement.methods import METHODS, OURS, PIXELS, PLAIN, Method
from nearid_core.paper.disentanglement.recipe import CONTROL

GAIN = 0.05  # of InfoM by ICA under Gaussian factors; the theory has none
MEASURES = ("InfoM", "MCC")


def claims_of(table: pd.DataFrame) -> tuple[str, ...]:
    """A sentence a claim. table : as of `reproduction_table`."""
    main = table[table["law"] == table["law"].iloc[0]]
    control = table[table["law"] == CONTROL]
    said = [beaten(main, method) for method in METHODS if method.rival]
    said += [_needed(main)]
    return (*said, *([] if control.empty else [controlled(control)]))


def beaten(table: pd.DataFrame, other: Method) -> str:
    """Whether AE + ICA has the larger InfoM, as published, and what MCC says, which collapse does not flatter."""
    verdicts = {measure: told_apart(table, other, measure) for measure in MEASURES}
    outcome = {"above": "reproduced", "below": "not reproduced"}.get(verdicts["InfoM"], "not told apart")
    figures = "; ".join(_against(table, other, measure) for measure in MEASURES)
    sentence = f"AE + ICA beats {other.title}: {outcome}. {figures}."
    if verdicts["MCC"] != verdicts["InfoM"]:
        sentence += f" By MCC it is {_BY_MCC[verdicts['MCC']]}."
    row = _row(table, other, "InfoM")
    if row["n_active"] < row["n_factors"]:
        few = f"{row['n_active']:.3g} active directions for {row['n_factors']} factors"
        sentence += f" {other.title} has {few}, which flatters its InfoM."
    return sentence


_BY_MCC = {"above": "above", "below": "below", "": "not told apart"}


def told_apart(table: pd.DataFrame, other: Method, measure: str) -> str:
    """``above`` where the worst seed of AE + ICA is above the other's best, ``below`` where its best is below the
    other's worst, else nothing.
    """
    ours, theirs = _row(table, OURS, measure), _row(table, other, measure)
    return "above" if ours["low"] > theirs["high"] else "below" if ours["high"] < theirs["low"] else ""


def controlled(control: pd.DataFrame) -> str:
    """Under Gaussian factors no rotation is better than another, so ICA is to gain nothing."""
    gain = _row(control, OURS, "InfoM")["ours"] - _row(control, PLAIN, "InfoM")["ours"]
    held = f"as the theory has it (at most {GAIN})" if gain <= GAIN else f"against the theory, which has at most {GAIN}"
    return f"Gaussian factors: ICA changes InfoM by {gain:+.2f}, {held}. {_against(control, PLAIN, 'InfoM')}."


def _needed(table: pd.DataFrame) -> str:
    """A control that the paper does not have: whether there was anything nonlinear to undo."""
    pixels = next(method for method in METHODS if method.source == PIXELS)
    found = {"above": "needed", "below": "a hindrance"}.get(
        told_apart(table, pixels, "InfoM"), "not shown to be needed"
    )
    return f"The autoencoder is {found} (not in the paper): {_against(table, pixels, 'InfoM')}."


def _against(table: pd.DataFrame, other: Method, measure: str) -> str:
    return f"{measure} {_figures(_row(table, OURS, measure))} against {_figures(_row(table, other, measure))}"


def _figures(row: pd.Series) -> str:
    return f"{row['ours']:.2f}" + (f" [{row['low']:.2f}, {row['high']:.2f}]" if row["low"] < row["high"] else "")


def _row(table: pd.DataFrame, method: Method, quantity: str) -> pd.Series:
    return table[(table["method"] == method.title) & (table["quantity"] == quantity)].iloc[0]

"""Which of the paper's claims about disentanglement come out here."""

from __future__ import annotations

import pandas as pd

from nearid_core.paper.disentanglement.methods import METHODS, OF_PIXELS, OURS, PIXELS, PLAIN, Method
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
    claim = f"AE + ICA beats {other.title}"
    lacking = [method.title for method in (OURS, other) if _row(table, method, "InfoM")["n_seeds"] == 0]
    if lacking:
        return f"{claim}: not judged. No training of {lacking[0]} came to an end."
    by_infom, by_mcc = (told_apart(table, other, measure) for measure in MEASURES)
    figures = "; ".join(_against(table, other, measure) for measure in MEASURES)
    sentence = f"{claim}: {_OUTCOMES[by_infom]}. {figures}."
    if by_mcc != by_infom:
        sentence += f" By MCC: {_OUTCOMES[by_mcc]}."
    return sentence + _collapsed(table, OURS) + _collapsed(table, other)


_OUTCOMES = {"above": "reproduced", "below": "not reproduced", "": "not told apart"}


def _collapsed(table: pd.DataFrame, method: Method) -> str:
    row = _row(table, method, "InfoM")
    if row["n_active"] >= row["n_factors"]:
        return ""
    few = f"{row['n_active']:.3g} active directions for {row['n_factors']:.0f} factors"
    return f" {method.title} has {few}, which flatters its InfoM."


def told_apart(table: pd.DataFrame, other: Method, measure: str) -> str:
    """``above`` where the worst seed of AE + ICA is above the other's best, ``below`` where its best is below the
    other's worst, else nothing. One seed has no spread to go by.
    """
    ours, theirs = _row(table, OURS, measure), _row(table, other, measure)
    trained = [ours] if other.source == PIXELS else [ours, theirs]
    if min(row["n_seeds"] for row in trained) < 2:
        return ""
    return "above" if ours["low"] > theirs["high"] else "below" if ours["high"] < theirs["low"] else ""


def controlled(control: pd.DataFrame) -> str:
    """Under Gaussian factors no rotation is better than another, so ICA is to gain nothing.

    What is left of them in a model need not be Gaussian, which is why its components' own diagnostics are told, too.
    """
    ours = _row(control, OURS, "InfoM")
    gain = ours["ours"] - _row(control, PLAIN, "InfoM")["ours"]
    apart = "" if told_apart(control, PLAIN, "InfoM") else ", not told apart by the seeds"
    held = "comes out" if gain <= GAIN else "does not come out"
    return (
        f"Gaussian factors, where theory has ICA gain nothing (at most {GAIN} of InfoM allowed): {held}. The gain is "
        f"{gain:+.2f}, {_against(control, PLAIN, 'InfoM')}{apart}. ICA identifies {ours['n_identified']:.3g} "
        f"components of {ours['n_active']:.3g}."
    )


def _needed(table: pd.DataFrame) -> str:
    """A control that the paper does not have: whether there was anything nonlinear to undo."""
    found = {"above": "is above", "below": "is below"}.get(
        told_apart(table, OF_PIXELS, "InfoM"), "is not told apart from"
    )
    return f"AE + ICA {found} {OF_PIXELS.title} (not in the paper): {_against(table, OF_PIXELS, 'InfoM')}."


def _against(table: pd.DataFrame, other: Method, measure: str) -> str:
    return f"{measure} {_figures(_row(table, OURS, measure))} against {_figures(_row(table, other, measure))}"


def _figures(row: pd.Series) -> str:
    return f"{row['ours']:.2f}" + (f" [{row['low']:.2f}, {row['high']:.2f}]" if row["low"] < row["high"] else "")


def _row(table: pd.DataFrame, method: Method, quantity: str) -> pd.Series:
    return table[(table["method"] == method.title) & (table["quantity"] == quantity)].iloc[0]

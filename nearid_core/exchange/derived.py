"""New columns from old ones: by regular expression, and by merging values."""

from __future__ import annotations

import re
from collections.abc import Mapping as Dict

import numpy as np
import pandas as pd

from nearid_core.errors import InvalidInput
from nearid_core.exchange.keys import key_text
from nearid_core.exchange.mapping import Derive, Recode
from nearid_core.exchange.problem import DROP_ROWS, Problem, action_for
from nearid_core.registry import unknown


def compiled(pattern: str, what: str) -> re.Pattern[str]:
    """The pattern with at least one group. Raises InvalidInput where it is none."""
    try:
        expression = re.compile(pattern)
    except re.error as error:
        raise InvalidInput(f"{what}: {pattern!r} is not a regular expression ({error}).") from None
    if expression.groups < 1:
        raise InvalidInput(f"{what}: {pattern!r} has no group; put what is to be taken in parentheses.")
    return expression


def derive(
    samples: pd.DataFrame, step: Derive, file: str, choices: Dict[str, str]
) -> tuple[pd.Series, list[Problem], np.ndarray]:
    """The new column, what did not match, and (N,) bool for rows that go."""
    if step.source not in samples:
        raise InvalidInput(unknown(f"column to derive {step.column} from", step.source, samples.columns))
    expression = compiled(step.pattern, f"The column {step.column}")
    texts = key_text(samples[step.source])
    found = {text: match.group(1) for text in texts.dropna().unique() if (match := expression.search(text))}
    derived = texts.map(found).astype("str")
    unmatched = texts.notna() & derived.isna()
    action = action_for("derive_unmatched", choices)
    drop = unmatched.to_numpy() & (action == DROP_ROWS)
    if not unmatched.any():
        return derived, [], drop
    message = (
        f"{int(unmatched.sum()):,} values of {step.source} do not match {step.pattern!r}, the first being "
        f"{texts[unmatched].iloc[0]!r}; {step.column} would be empty there."
    )
    return derived, [Problem("derive_unmatched", message, int(unmatched.sum()), file, (step.source,), action)], drop


def recode(samples: pd.DataFrame, step: Recode, file: str, choices: Dict[str, str]) -> tuple[pd.Series, list[Problem]]:
    """The column with values merged, and those to be merged that it does not have."""
    if step.column not in samples:
        raise InvalidInput(unknown("column to recode", step.column, samples.columns))
    texts = key_text(samples[step.column])
    new = {old: merged for merged, values in step.merge.items() for old in values}
    absent = sorted(set(new) - set(texts.dropna().unique()))
    recoded = texts.map(lambda text: new.get(text, text), na_action="ignore").astype("str")
    if not absent:
        return recoded, []
    action = action_for("recode_unknown", choices)
    message = (
        f"{step.column} has no value {absent[0]!r} to merge ({len(absent)} of the {len(new)} named are not there)."
    )
    return recoded, [Problem("recode_unknown", message, len(absent), file, (step.column,), action)]

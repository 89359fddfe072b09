"""A form field for each setting that describes itself (`nearid_core.options.Option`)."""

import math
from collections.abc import Iterable
from typing import Any

import streamlit as st

from nearid_core.options import Option
from nearid_core.training import TrainConfig


def option_inputs(options: Iterable[Option], *, columns: int = 3) -> dict[str, Any]:
    """One field a setting, in rows; the values as they were entered.

    Limits are left to `TrainConfig`, which says in a sentence what it expected; a field with limits of its own would
    put something else in place of what was typed, or nothing.
    """
    fields = list(options)
    values = {}
    for start in range(0, len(fields), columns):
        for column, option in zip(st.columns(columns), fields[start : start + columns], strict=False):
            with column:
                values[option.name] = _field(option)
    return values


def fill(config: TrainConfig) -> None:
    """Enter a configuration into the fields, before they are drawn."""
    flat = {**config.to_dict(), **config.to_dict()["options"]}
    for option in TrainConfig.settings(config.dataset, config.family):
        value = flat[option.name]
        st.session_state[_key(option)] = _as_text(value) if option.kind is tuple else value


def _field(option: Option) -> Any:
    label = option.name.replace("_", " ")
    common = {"key": _key(option), "help": f"{option.help} Setting `{option.name}`.", "persist_state": "session"}
    if option.choices is not None:
        return st.selectbox(label, option.choices, index=option.choices.index(option.default), required=True, **common)
    if option.kind is bool:
        return st.toggle(label, option.default, **common)
    if option.kind in {int, float}:
        step = 1 if option.kind is int else _step(option.default)
        form = "%d" if option.kind is int else "%g"
        return st.number_input(label, value=option.default, step=step, format=form, placeholder="default", **common)
    if option.kind is tuple:
        return st.text_input(label, _as_text(option.default), placeholder="default", **common) or None
    return st.text_input(label, option.default or "", **common)


def _key(option: Option) -> str:
    return f"setting_{option.name}"


def _as_text(value: Any) -> str:
    return "" if value is None else ", ".join(str(entry) for entry in value)


def _step(default: float | None) -> float:
    """One unit of the default's leading digit: .001 for .001, .1 for .2."""
    return 10.0 ** math.floor(math.log10(default)) if default else 0.1

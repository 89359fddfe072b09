"""A form field for each setting that describes itself (`nearid_core.options.Option`)."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from nearid_core.options import Option
from nearid_core.training import TRAIN_OPTIONS, TrainConfig

_SHARED = {option.name for option in TRAIN_OPTIONS}
_COLUMNS = 3


def setting_inputs(dataset: str, family: str) -> dict[str, Any]:
    """A field for every setting, and the values as they were entered; what only these two have is folded away.

    Limits are left to `TrainConfig`, which says in a sentence what it expected; a field with limits of its own would
    put something else in place of what was typed, or nothing.
    """
    usual = TrainConfig(dataset, family).to_dict()
    own = [option for option in TrainConfig.settings(dataset, family) if option.name not in _SHARED]
    given = _grid(TRAIN_OPTIONS, usual, dataset, family)
    with st.expander(f"More settings of {dataset} and {family}"):
        return given | _grid(own, usual, dataset, family)


def fill(config: TrainConfig) -> None:
    """Enter a configuration into the fields, before they are drawn."""
    flat = {**config.to_dict(), **config.to_dict()["options"]}
    for option in TrainConfig.settings(config.dataset, config.family):
        value = flat[option.name]
        shown = _as_text(value) if option.kind is tuple else value
        st.session_state[_key(option, config.dataset, config.family)] = shown


def _grid(options: Sequence[Option], usual: Mapping[str, Any], dataset: str, family: str) -> dict[str, Any]:
    """usual : what an empty field stands for, where that is known."""
    values = {}
    for start in range(0, len(options), _COLUMNS):
        for column, option in zip(st.columns(_COLUMNS), options[start : start + _COLUMNS], strict=False):
            with column:
                values[option.name] = _field(option, _key(option, dataset, family), usual.get(option.name))
    return values


def _field(option: Option, key: str, usual: Any) -> Any:
    label = option.name.replace("_", " ")
    common = {"key": key, "help": f"{option.help} Setting `{option.name}`.", "persist_state": "session"}
    empty = "default" if usual is None else _as_text(usual) if option.kind is tuple else str(usual)
    if option.choices is not None:
        return st.selectbox(label, option.choices, index=option.choices.index(option.default), **common)
    if option.kind is bool:
        return st.toggle(label, option.default, **common)
    if option.kind in {int, float}:
        step = 1 if option.kind is int else _step(option.default)
        form = "%d" if option.kind is int else "%g"
        return st.number_input(label, value=option.default, step=step, format=form, placeholder=empty, **common)
    if option.kind is tuple:
        return st.text_input(label, _as_text(option.default), placeholder=empty, **common) or None
    return st.text_input(label, option.default or "", **common)


def _key(option: Option, dataset: str, family: str) -> str:
    """Two datasets may have a setting of one name and mean other things by it."""
    return f"setting_{option.name}" if option.name in _SHARED else f"setting_{dataset}_{family}_{option.name}"


def _as_text(value: Any) -> str:
    return "" if value is None else ", ".join(str(entry) for entry in value)


def _step(default: float | None) -> float:
    """One unit of the default's leading digit: .001 for .001, .1 for .2."""
    return 10.0 ** math.floor(math.log10(default)) if default else 0.1

"""Settings that describe themselves, so that a form, a command line and an error message agree."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from nearid_core.errors import InvalidInput
from nearid_core.registry import unknown


@dataclass(frozen=True)
class Option:
    """One setting: its default, what values it takes and what follows from it.

    kind : ``int``, ``float``, ``str``, ``bool`` or ``tuple`` (a tuple of positive integers, such as layer widths).
    minimum, maximum : inclusive; for ``tuple`` they hold for each entry.
    choices : the only values allowed, when given.
    optional : None is allowed (and is then what "leave it to the default rule" means).
    help : the consequence of changing it, in one sentence, with its unit.
    introduced_later : it came when there were runs already. At its default it has no part in a run set's id, so that
        those keep theirs.
    """

    name: str
    default: Any
    kind: type
    help: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[Any, ...] | None = None
    optional: bool = False
    introduced_later: bool = False

    def check(self, value: Any) -> Any:
        """The value in its own type, or InvalidInput with what was expected."""
        if self.optional and (value is None or (self.kind is str and value == "")):  # a form has "" for nothing
            return None
        converted = self._convert(value)
        entries = converted if isinstance(converted, tuple) else (converted,)
        if self.choices is not None and converted not in self.choices:
            raise InvalidInput(unknown(f"value of {self.name}", str(value), self.choices))
        if any(not self._within(entry) for entry in entries) or entries == ():
            raise InvalidInput(f"{self.name} is {value!r}; expected {self.expected()}.")
        return converted

    def parse(self, text: str) -> Any:
        """The value written on a command line: ``6``, ``0.3``, ``none``, ``true``, ``128,128``."""
        if text.lower() in {"none", "null"}:
            return self.check(None)
        if self.kind is tuple:
            return self.check([part for part in text.split(",") if part.strip()])
        if self.kind is bool:
            return self.check({"true": True, "false": False}.get(text.lower(), text))
        return self.check(text)

    def expected(self) -> str:
        noun = {int: "a whole number", float: "a number", str: "a name", bool: "true or false"}.get(
            self.kind, "whole numbers separated by commas"
        )
        if self.minimum is not None and self.maximum is not None:
            return f"{noun} from {self.minimum:g} to {self.maximum:g}"
        if self.minimum is not None:
            return f"{noun}, {self.minimum:g} or more"
        return noun

    def _convert(self, value: Any) -> Any:
        wrong = InvalidInput(f"{self.name} is {value!r}; expected {self.expected()}.")
        if self.kind is bool:
            if isinstance(value, bool):
                return value
            raise wrong
        if isinstance(value, bool) or value is None:
            raise wrong
        try:
            if self.kind is tuple:
                parts = value if isinstance(value, Iterable) and not isinstance(value, str) else [value]
                return tuple(_whole(part) for part in parts)
            return _whole(value) if self.kind is int else self.kind(value)
        except (TypeError, ValueError, OverflowError):
            raise wrong from None

    def _within(self, value: Any) -> bool:
        if self.kind is str or self.kind is bool:
            return True
        if not math.isfinite(value):
            return False
        return (self.minimum is None or value >= self.minimum) and (self.maximum is None or value <= self.maximum)


def _whole(value: Any) -> int:
    number = float(value)
    if number != int(number):
        raise ValueError(value)
    return int(number)


def resolve(options: Iterable[Option], given: Mapping[str, Any], owner: str) -> dict[str, Any]:
    """Every option of `owner` with its value: the one given, checked, or the default.

    Raises InvalidInput for a name that `owner` does not have, with the nearest one it has.
    """
    by_name = {option.name: option for option in options}
    for name in given:
        if name not in by_name:
            raise InvalidInput(unknown(f"setting of {owner}", name, by_name))
    return {name: option.check(given[name]) if name in given else option.default for name, option in by_name.items()}


def canonical_json(value: Any) -> str:
    """The one text of a JSON-able value: sorted keys, no spaces; NaN is refused."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)

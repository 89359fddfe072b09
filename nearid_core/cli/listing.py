"""A registry on the terminal: what there is in one line each, and the settings of one entry."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from typing import Any, Protocol

from nearid_core.cli.verb import Parser
from nearid_core.jsonable import jsonable
from nearid_core.options import Option
from nearid_core.registry import Registry


class Configurable(Protocol):
    """A registry entry with settings: a dataset, a family."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...

    @property
    def options(self) -> tuple[Option, ...]: ...


def add_name(parser: Parser) -> None:
    parser.add_argument("name", nargs="?", help="show the settings of this one")


def print_entries(registry: Registry[Any], arguments: argparse.Namespace) -> int:
    """Print all entries, or the one that is named with its settings; the exit code."""
    entries: list[Configurable] = [registry[arguments.name]] if arguments.name else list(registry)
    if arguments.json:
        print(json.dumps([_described(entry) for entry in entries], indent=1))
        return 0
    width = max((len(entry.name) for entry in entries), default=0)
    for entry in entries:
        print(f"{entry.name:<{width}}  {entry.description}")
    if arguments.name:
        print_options(entries[0].options)
    return 0


def print_options(options: Iterable[Option]) -> None:
    for option in options:
        allowed = " | ".join(str(choice) for choice in option.choices) if option.choices else option.expected()
        print(f"\n  {option.name} = {_written(option.default)}  ({allowed})\n      {option.help}")


def _written(value: Any) -> str:
    """A value as ``--set`` takes it."""
    if value is None:
        return "none"
    if isinstance(value, tuple):
        return ",".join(str(entry) for entry in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _described(entry: Configurable) -> dict[str, Any]:
    options = [
        {"name": option.name, "default": option.default, "choices": option.choices, "help": option.help}
        for option in entry.options
    ]
    return {"name": entry.name, "description": entry.description, "options": jsonable(options)}

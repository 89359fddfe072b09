"""What the command line knows of a verb."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from nearid_core.errors import InvalidInput
from nearid_core.registry import Registry


class Parser(argparse.ArgumentParser):
    """Wrong use is an InvalidInput, one sentence like every other error, instead of a usage text and an exit."""

    def error(self, message: str) -> None:  # type: ignore[override]
        raise InvalidInput(f"{self.prog}: {message}; see {self.prog} --help.")


@dataclass(frozen=True)
class Verb:
    """One verb.

    example : a command line that works, for the help.
    arguments : adds its arguments to a parser; ``--json`` is there already.
    run : does it and returns the exit code. Only the result goes to stdout.
    """

    name: str
    description: str
    example: str
    arguments: Callable[[Parser], None]
    run: Callable[[argparse.Namespace], int]


VERBS: Registry[Verb] = Registry("verb")


def add_store(parser: Parser) -> None:
    parser.add_argument(
        "--store", metavar="PATH", help="folder of runs (default: $NEARID_STORE, else data/runs beside app.py)"
    )

"""What ``nearid import`` is told about the files, as a mapping."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from nearid_core.cli.verb import Parser
from nearid_core.errors import InvalidInput
from nearid_core.exchange.mapping import FILES, LEVELS, Control, Derive, Join, Mapping
from nearid_core.exchange.problem import DROP_COLUMNS, DROP_ROWS, KEEP, check_choices

_COLUMNS = ("run", "batch", "label", "group", "position", "dose", "replicate")
_SAME = ("name", "layer", "level", "files", "file_pattern")  # called the same in a mapping


def add_mapping(parser: Parser) -> None:
    parser.add_argument("--name", help="what the table or the set of runs is called (default: the first file's name)")
    parser.add_argument("--files", choices=FILES, help="what several files are")
    parser.add_argument("--file-pattern", metavar="REGEX", help="its group in a file's name is the run, layer or batch")
    parser.add_argument("--layer", help="the name of the layer (default: embedding)")
    parser.add_argument("--sample-id", nargs="+", metavar="COLUMN", help="the column or columns that name a sample")
    parser.add_argument("--features", nargs="+", metavar="PREFIX", help="features begin with one of these")
    for role in _COLUMNS:
        parser.add_argument(f"--{role}", dest=f"{role}_column", metavar="COLUMN", help=f"the column with the {role}")
    parser.add_argument("--level", choices=LEVELS, help="what a row is")
    _repeated(parser, "--control", "COLUMN=VALUE", "controls; positive:COLUMN=VALUE or empty:... for other kinds")
    _repeated(parser, "--join", "FILE[:COLUMN[=COLUMN],...]", "a side table by its keys, or by row without any")
    _repeated(parser, "--derive", "NEW=COLUMN~REGEX", "a column from the group of a regular expression in another")
    _repeated(parser, "--drop", "KIND-rows|KIND-columns", "drop what has this problem, such as nan-rows")
    _repeated(parser, "--keep", "KIND", "import in spite of this problem")
    _repeated(parser, "--choose", "KIND=CHOICE", "any other choice, such as join_several=agree")


def _repeated(parser: Parser, flag: str, metavar: str, text: str) -> None:
    parser.add_argument(flag, action="append", default=[], metavar=metavar, help=f"{text}; may be given again")


def said(mapping: Mapping, arguments: argparse.Namespace) -> Mapping:
    """`mapping` with what the command line says above it."""
    changes: dict[str, Any] = {name: getattr(arguments, name) for name in _SAME if getattr(arguments, name) is not None}
    columns = {role: getattr(arguments, f"{role}_column") for role in _COLUMNS}
    changes |= {role: column for role, column in columns.items() if column is not None}
    if arguments.sample_id:
        changes["sample_id"] = tuple(arguments.sample_id)
    if arguments.features:
        changes["features"] = replace(mapping.features, prefix=tuple(arguments.features), pattern=None, dtype=None)
    if arguments.control:
        changes["controls"] = tuple(Control.parse(text) for text in arguments.control)
    if arguments.join:
        changes["joins"] = tuple(_join(text) for text in arguments.join)
    if arguments.derive:
        changes["derive"] = (*mapping.derive, *(_derive(text) for text in arguments.derive))
    return replace(mapping, **changes, choices={**mapping.choices, **_choices(arguments)})


def _join(text: str) -> Join:
    file, colon, keys = text.rpartition(":")
    if not colon:
        return Join(text)
    pairs = [key.partition("=") for key in keys.split(",") if key]
    if not file or not pairs:
        raise InvalidInput(f"--join {text!r} is not FILE:COLUMN, such as plates.csv:Plate,Well=Well_ID.")
    return Join(file, tuple(left for left, _, _ in pairs), tuple(right or left for left, _, right in pairs))


def _derive(text: str) -> Derive:
    column, equals, rest = text.partition("=")
    source, tilde, pattern = rest.partition("~")
    if not (equals and tilde and column and source and pattern):
        raise InvalidInput(rf"--derive {text!r} is not NEW=COLUMN~REGEX, such as 'week=Plate~(Week\d+)_'.")
    return Derive(column, source, pattern)


def _choices(arguments: argparse.Namespace) -> dict[str, str]:
    choices = dict.fromkeys(_kinds(arguments.keep), KEEP)
    for text in arguments.drop:
        kind, _, what = text.rpartition("-")
        if what not in ("rows", "columns") or not kind:
            raise InvalidInput(f"--drop {text!r} is not KIND-rows or KIND-columns, such as nan-rows.")
        choices |= dict.fromkeys(_kinds([kind]), DROP_ROWS if what == "rows" else DROP_COLUMNS)
    for text in arguments.choose:
        kind, equals, choice = text.partition("=")
        if not equals:
            raise InvalidInput(f"--choose {text!r} is not KIND=CHOICE, such as join_several=agree.")
        choices |= dict.fromkeys(_kinds([kind]), choice.replace("-", " "))
    return check_choices(choices)


def _kinds(texts: Sequence[str]) -> list[str]:
    return [text.strip().replace("-", "_") for text in texts]

"""``nearid gallery``."""

from __future__ import annotations

import argparse
import json

from nearid_core.cli.verb import VERBS, Parser, Verb, add_store


def arguments(parser: Parser) -> None:
    parser.add_argument("name", nargs="?", help="the planted truth to put into the store (default: list them)")
    add_store(parser)


def run(arguments: argparse.Namespace) -> int:
    from nearid_core.gallery import GALLERY, plant
    from nearid_core.runs import RunStore

    if arguments.name is None:
        told = [{"name": one.name, "shows": one.shows, "expected": one.expected} for one in GALLERY]
        width = max(len(one["name"]) for one in told)
        print(json.dumps(told) if arguments.json else "\n".join(f"{t['name']:{width}}  {t['shows']}" for t in told))
        return 0
    made = plant(arguments.name, RunStore(arguments.store))
    runs = [one.id for one in made.runs]
    expected = GALLERY[arguments.name].expected
    if arguments.json:
        print(json.dumps({"set": made.id, "runs": runs, "expected": expected}))
    else:
        print(f"{made.id}: {', '.join(runs)}\nWhat should be seen: {expected}")
    return 0


VERBS.register(
    Verb(
        "gallery",
        "Put a planted truth into the store: codes of which everything is known, where the method works or fails.",
        "nearid gallery\n  nearid gallery gaussian && nearid factors --set-id gallery-gaussian",
        arguments,
        run,
    )
)

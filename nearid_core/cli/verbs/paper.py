"""``nearid paper``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nearid_core.cli.bar import progress_on_stderr
from nearid_core.cli.output import check_output, write_table
from nearid_core.cli.verb import VERBS, Parser, Verb, add_store
from nearid_core.errors import InvalidInput
from nearid_core.jsonable import jsonable

if TYPE_CHECKING:
    from nearid_core.paper import Reproduction

OPTIONS = ("quick", "dataset", "seeds")


def arguments(parser: Parser) -> None:
    parser.add_argument(
        "experiment",
        nargs="?",
        help="e3: an autoencoder and ICA disentangle; e4: batch effects (default: list them)",
    )
    parser.add_argument("--quick", action="store_true", default=None, help="e3: one setting a method, nothing is tuned")
    parser.add_argument("--dataset", metavar="NAME", help="e3: balanced_scene, sprites or scene (default: the first)")
    parser.add_argument("--seeds", help="e3: such as 0-7 or 0,2,5 (default: 0-2)")
    parser.add_argument("--out", metavar="FILE", help="also write the table, as .csv, .parquet or .html")
    add_store(parser)


def run(arguments: argparse.Namespace) -> int:
    from nearid_core.paper import EXPERIMENTS
    from nearid_core.runs import RunStore

    out = check_output(arguments.out)
    given = {name: getattr(arguments, name) for name in OPTIONS if getattr(arguments, name) is not None}
    if arguments.experiment is None:
        return _list(arguments.json, [*given, *(["out"] if out else [])])
    experiment = EXPERIMENTS[arguments.experiment]
    with progress_on_stderr(silent=arguments.json) as on_progress:
        found = experiment.run(on_progress, store=RunStore(arguments.store), **given)
    if out is not None:
        write_table(found.table, out, [experiment.description, *found.claims, *found.differs])
    print(json.dumps(jsonable(vars(found))) if arguments.json else _text(experiment.description, found))
    return 0


def _list(as_json: bool, given: Sequence[str]) -> int:
    """What experiments there are; options without one are a slip."""
    from nearid_core.paper import EXPERIMENTS

    if given:
        raise InvalidInput(
            f"nearid paper --{given[0]} needs an experiment; there are {', '.join(sorted(EXPERIMENTS.names()))}."
        )
    listed = [
        {"name": one.name, "description": one.description} for one in sorted(EXPERIMENTS, key=lambda one: one.name)
    ]
    print(json.dumps(listed) if as_json else "\n".join(f"{one['name']}  {one['description']}." for one in listed))
    return 0


def _text(description: str, found: Reproduction) -> str:
    from nearid_core.paper.experiment import PAPER

    table = found.table if found.summary is None else found.summary
    return "\n\n".join(
        [
            f"{description}\nPublished: {PAPER}",
            table.to_string(index=False, na_rep="-", float_format="{:.3g}".format),
            f"Intervals: {found.interval}.",
            "\n".join(found.claims),
            "What differs:\n" + "\n".join(f"- {one}" for one in found.differs),
        ]
    )


VERBS.register(
    Verb(
        "paper",
        "Run an experiment of the paper: the published value beside ours, and what differs.",
        "nearid paper e3 --quick\n  nearid paper e4",
        arguments,
        run,
    )
)

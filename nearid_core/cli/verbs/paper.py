"""``nearid paper``."""

from __future__ import annotations

import argparse
import json

from nearid_core.cli.bar import progress_on_stderr
from nearid_core.cli.output import check_output, write_table
from nearid_core.cli.verb import VERBS, Parser, Verb
from nearid_core.jsonable import jsonable


def arguments(parser: Parser) -> None:
    parser.add_argument("experiment", help="e4: batch effects")
    parser.add_argument("--out", metavar="FILE", help="also write the table, as .csv, .parquet or .html")


def run(arguments: argparse.Namespace) -> int:
    from nearid_core.paper import EXPERIMENTS
    from nearid_core.paper.experiment import PAPER

    out = check_output(arguments.out)
    experiment = EXPERIMENTS[arguments.experiment]
    with progress_on_stderr(silent=arguments.json) as on_progress:
        found = experiment.run(on_progress)
    if out is not None:
        write_table(found.table, out, [experiment.description, *found.claims, *found.differs])
    if arguments.json:
        print(json.dumps(jsonable(vars(found))))
        return 0
    print(f"{experiment.description}\nPublished: {PAPER}\n")
    print(found.table.to_string(index=False, na_rep="-", float_format="{:.3f}".format))
    print("\n" + "\n".join(found.claims) + "\n\nWhat differs:\n" + "\n".join(f"- {one}" for one in found.differs))
    return 0


VERBS.register(
    Verb(
        "paper",
        "Run an experiment of the paper: the published value beside ours, and what differs.",
        "nearid paper e4",
        arguments,
        run,
    )
)

"""``nearid runs``: list them, delete some, put one back, pass them on as files."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from nearid_core.cli.run_files import add, add_file_arguments, export
from nearid_core.cli.verb import VERBS, Parser, Verb, add_store
from nearid_core.errors import InvalidInput
from nearid_core.jsonable import jsonable
from nearid_core.registry import unknown

if TYPE_CHECKING:
    from nearid_core.runs import Run, RunStore


def arguments(parser: Parser) -> None:
    parser.add_argument("action", nargs="?", help="delete, restore, export or add (default: list them)")
    parser.add_argument(
        "ids", nargs="*", metavar="ID", help="the runs to delete or restore; ID FILE to export; FILE.zip to add"
    )
    parser.add_argument("--dataset", metavar="NAME", help="list runs of this dataset only")
    parser.add_argument("--family", metavar="NAME", help="list runs of this family only")
    parser.add_argument("--tag", help="list runs with this tag only")
    add_file_arguments(parser)
    add_store(parser)


def run(arguments: argparse.Namespace) -> int:
    from nearid_core.runs import RunStore

    store = RunStore(arguments.store)
    if arguments.action is None:
        return _list(store, arguments)
    if arguments.action not in ACTIONS:
        raise InvalidInput(unknown("action on runs", arguments.action, ACTIONS))
    if not arguments.ids:
        raise InvalidInput(f"nearid runs {arguments.action} needs {NEEDS[arguments.action]}.")
    done = ACTIONS[arguments.action](store, arguments)
    print(json.dumps({arguments.action: arguments.ids}) if arguments.json else done)
    return 0


def _list(store: RunStore, arguments: argparse.Namespace) -> int:
    runs = store.runs(arguments.dataset, arguments.family, arguments.tag)
    unfinished, problems = store.unfinished(), store.problems()
    if arguments.json:
        begun = [{"id": one.id, "seed": one.seed, "alive": one.alive} for one in unfinished]
        listed = [_described(run) for run in runs]
        print(json.dumps({"runs": listed, "unfinished": begun, "problems": problems}, indent=1))
        return 0
    print(_table(runs) if runs else f"No runs in {store.path}; nearid train makes some.")
    for one in unfinished:
        print(f"{one.id}: {'being trained' if one.alive else 'cut off; the same nearid train resumes it'}")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 0


def _described(run: Run) -> dict[str, Any]:
    return {
        "id": run.id,
        "set": run.set_id,
        "seed": run.seed,
        "status": run.status,
        "reason": run.reason,
        "dataset": run.dataset["name"],
        "config": run.record.get("config"),
        "layers": run.layers,
        "metrics": jsonable(run.metrics),
        "tags": run.tags,
        "created": run.created,
        "seconds": jsonable(run.seconds),
    }


def _table(runs: Sequence[Run]) -> str:
    import pandas as pd

    rows = [
        {
            "id": run.id,
            "seed": "" if run.seed is None else run.seed,
            "status": run.status,
            "created": run.created[:16].replace("T", " "),
            **{name: f"{value:.4g}" for name, value in run.metrics.items()},
            "tags": ", ".join(run.tags),
        }
        for run in runs
    ]
    return pd.DataFrame(rows).fillna("").to_string(index=False)


def _delete(store: RunStore, arguments: argparse.Namespace) -> str:
    ids = arguments.ids
    known = {path.name for path in store.path.glob("[!.]*") if path.is_dir()}  # damaged ones can be deleted too
    for run_id in ids:
        if run_id not in known:
            raise InvalidInput(unknown(f"run in {store.path}", run_id, sorted(known)))
    for run_id in dict.fromkeys(ids):
        store.delete(run_id)
    return f"Deleted {', '.join(ids)}; nearid runs restore ID puts one back within a day."


def _restore(store: RunStore, arguments: argparse.Namespace) -> str:
    for run_id in arguments.ids:
        store.restore(run_id)
    return f"Restored {', '.join(arguments.ids)}."


ACTIONS: dict[str, Callable[[RunStore, argparse.Namespace], str]] = {
    "delete": _delete,
    "restore": _restore,
    "export": export,
    "add": add,
}
_IDS = "the id of a run; nearid runs lists them"
NEEDS = {"delete": _IDS, "restore": _IDS, "export": "an id, of a run or a set, and a file", "add": "a zip of runs"}

VERBS.register(
    Verb(
        "runs",
        "List the runs of a store, delete some, put one back, export them to files, add a zip.",
        "nearid runs --dataset digits\n  nearid runs export RUN_OR_SET_ID runs.zip\n  nearid runs add runs.zip"
        "\n  nearid runs export RUN_ID latent.h5ad --layer latent --space ica",
        arguments,
        run,
    )
)

"""``nearid train``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nearid_core.cli.bar import progress_on_stderr
from nearid_core.cli.verb import VERBS, Parser, Verb, add_store
from nearid_core.errors import InvalidInput

if TYPE_CHECKING:
    from nearid_core.runs import Run


def arguments(parser: Parser) -> None:
    parser.add_argument("--dataset", required=True, metavar="NAME", help="see: nearid datasets")
    parser.add_argument("--family", required=True, metavar="NAME", help="see: nearid families")
    parser.add_argument("--seeds", default="0-5", help="such as 0-7 or 0,2,5 (default: %(default)s)")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        dest="settings",
        help="a setting of the training, the dataset or the family; may be given again",
    )
    parser.add_argument("--layers", nargs="+", metavar="LAYER", help="layers to keep of each run (default: all)")
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda (default: %(default)s)")
    add_store(parser)


def run(arguments: argparse.Namespace) -> int:
    from nearid_core.runs import RunStore
    from nearid_core.training import TrainConfig, train

    config = TrainConfig.from_settings(arguments.dataset, arguments.family, parse_settings(arguments.settings))
    store = RunStore(arguments.store)
    with progress_on_stderr(silent=arguments.json) as on_progress:
        runs = train(
            config,
            arguments.seeds,
            store,
            device=arguments.device,
            layers=arguments.layers,
            on_progress=on_progress,
        )
    failed = [run for run in runs if run.status != "done"]
    if arguments.json:
        print(json.dumps(_described(config.set_id, str(store.path), runs), indent=1))
    else:
        print(f"{len(runs) - len(failed)} of {len(runs)} runs of {config.set_id} are in {store.path}.")
    for run in failed:
        print(f"Seed {run.seed} failed: {run.reason}", file=sys.stderr)
    return 1 if failed else 0


def parse_settings(pairs: Sequence[str]) -> dict[str, str]:
    """``["latent_dim=6", ...]`` as a mapping of text to text."""
    settings = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise InvalidInput(f"--set {pair!r} has no value; write it as --set key=value.")
        settings[name.strip()] = value.strip()
    return settings


def _described(set_id: str, store: str, runs: Sequence[Run]) -> dict[str, Any]:
    listed = [{"id": run.id, "seed": run.seed, "status": run.status, "reason": run.reason} for run in runs]
    return {"set": set_id, "store": store, "runs": listed}


VERBS.register(
    Verb(
        "train",
        "Train one or many seeds of a model.",
        "nearid train --dataset digits --family autoencoder --seeds 0-7 --set latent_dim=6 --set weight_decay=0.3",
        arguments,
        run,
    )
)

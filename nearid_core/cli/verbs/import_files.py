"""``nearid import``."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from nearid_core.cli.bar import progress_on_stderr
from nearid_core.cli.import_arguments import add_mapping, said
from nearid_core.cli.import_report import described, printable, report, to_add
from nearid_core.cli.verb import VERBS, Parser, Verb, add_store

if TYPE_CHECKING:
    from nearid_core.exchange import Mapping, Preview

_DONE, _WRONG_USE = 0, 2


def arguments(parser: Parser) -> None:
    parser.add_argument("paths", nargs="+", metavar="FILE", help="npy, npz, csv, tsv, parquet, safetensors, h5ad, zarr")
    parser.add_argument("--mapping", metavar="FILE.toml", help="what the columns are; options stand above it")
    parser.add_argument("--save-mapping", metavar="FILE.toml", help="write the mapping that was used, or guessed")
    add_mapping(parser)
    parser.add_argument("--dry-run", action="store_true", help="show what would be imported, and import nothing")
    add_store(parser)


def run(arguments: argparse.Namespace) -> int:
    from nearid_core.exchange import preview, write_mapping
    from nearid_core.exchange.importing import write_plan
    from nearid_core.runs import RunStore

    paths, mapping = _mapping(arguments)
    store = RunStore(arguments.store)
    with progress_on_stderr(silent=arguments.json) as on_progress:
        looked = replace(preview(paths, mapping, on_progress=on_progress), guessed=not arguments.mapping)
        if arguments.save_mapping:
            write_mapping(looked.mapping, arguments.save_mapping)
        if arguments.dry_run or not looked.ready:
            return _show(looked, arguments)
        runs = write_plan(looked.plan, store, on_progress)
    if arguments.json:
        listed = [{"id": run.id, "set": run.set_id, "seed": run.seed, "layers": run.layers} for run in runs]
        print(json.dumps({"imported": listed, "store": str(store.path), **described(looked)}, indent=1))
    else:
        print(f"{report(looked)}\nImported {', '.join(run.id for run in runs)} into {store.path}.")
    return _DONE


def _mapping(arguments: argparse.Namespace) -> tuple[list[Path], Mapping]:
    from nearid_core.exchange import guess, read_mapping
    from nearid_core.exchange.import_preview import as_paths

    paths = as_paths(arguments.paths)
    if arguments.mapping:
        return paths, said(read_mapping(arguments.mapping), arguments)
    paths, mapping = guess(paths)
    return paths, said(mapping, arguments)


def _show(looked: Preview, arguments: argparse.Namespace) -> int:
    print(json.dumps(described(looked), indent=1) if arguments.json else report(looked))
    sentences = to_add(looked)
    if sentences:
        print(f"Nothing was imported. {' '.join(printable(sentence) for sentence in sentences)}", file=sys.stderr)
    return _DONE if looked.ready else _WRONG_USE


VERBS.register(
    Verb(
        "import",
        "Import tables of embeddings as runs: all of them or none, with what is wrong in them first.",
        "nearid import a.parquet --dry-run\n  nearid import profiles.csv.gz --join moa.csv:compound --batch plate "
        "--control compound=DMSO",
        arguments,
        run,
    )
)

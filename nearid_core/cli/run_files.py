"""``nearid runs export`` and ``nearid runs add``: files that leave a store, and come into one."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from nearid_core.cli.bar import progress_on_stderr
from nearid_core.cli.verb import Parser
from nearid_core.errors import InvalidInput

if TYPE_CHECKING:
    from nearid_core.progress import ProgressCallback
    from nearid_core.runs import RunStore

ARCHIVE = ".zip"


def add_file_arguments(parser: Parser) -> None:
    parser.add_argument("--layer", help="layer to export (default: latent, where the run has it); not for a .zip")
    parser.add_argument("--space", help="raw, pca (whitened) or ica: coordinates to export (default: raw)")
    parser.add_argument("--force", action="store_true", help="overwrite the exported file if it is there")


def export(store: RunStore, arguments: argparse.Namespace) -> str:
    if len(arguments.ids) != 2:
        found = " ".join(arguments.ids)
        raise InvalidInput(f"nearid runs export takes an id, of a run or a set, and a file; found {found}.")
    name, file = arguments.ids
    if Path(file).suffix.lower() != ARCHIVE:
        return _export_representation(store, name, file, arguments)
    if arguments.layer is not None or arguments.space is not None:
        raise InvalidInput(f"A zip holds whole runs; leave --layer and --space out, or export to {name}.parquet.")
    with progress_on_stderr(silent=arguments.json) as on_progress:
        _export_archive(store, name, file, arguments.force, on_progress)
    return f"Exported {name} to {file}; nearid runs add {file} takes it into another store."


def add(store: RunStore, arguments: argparse.Namespace) -> str:
    with progress_on_stderr(silent=arguments.json) as on_progress:
        added = [run.id for file in arguments.ids for run in store.add_archive(file, on_progress=on_progress)]
    return f"Added {', '.join(added)}."


def _export_archive(store: RunStore, name: str, file: str, force: bool, on_progress: ProgressCallback) -> None:
    from nearid_core.runs.archive import export_run, export_set

    sets = {one.id: one for one in store.sets()}
    if name in sets:
        export_set(sets[name], file, overwrite=force, on_progress=on_progress)
    else:
        export_run(store.get(name), file, overwrite=force, on_progress=on_progress)


def _export_representation(store: RunStore, name: str, file: str, arguments: argparse.Namespace) -> str:
    from nearid_core.exchange import export_representation
    from nearid_core.runs import common_layer

    if name not in store and name in {one.id for one in store.sets()}:
        raise InvalidInput(f"{name} is a set of runs; export it to a .zip, or one of its runs to {file}.")
    run = store.get(name)
    layer = arguments.layer or common_layer([run])
    space = arguments.space or "raw"
    export_representation(run, layer, file, space=space, overwrite=arguments.force)
    return f"Exported layer {layer} of {name}, {space}, to {file}."

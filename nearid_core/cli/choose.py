"""Which runs, or which files, a command line means."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nearid_core.cli.verb import Parser, add_store
from nearid_core.errors import InvalidInput, UnsupportedFormat

if TYPE_CHECKING:
    import numpy as np

    from nearid_core.runs import Representation, Run, RunStore


def add_choice(parser: Parser) -> None:
    add_store(parser)
    parser.add_argument(
        "--set-id", metavar="ID", help="the runs of this set (default: the only one that can be compared)"
    )
    parser.add_argument("--runs", nargs="+", metavar="ID", help="these runs")
    parser.add_argument("--dataset", metavar="NAME", help="the run set of this dataset")
    parser.add_argument("--family", metavar="NAME", help="the run set of this family")


def chosen_runs(arguments: argparse.Namespace, fewest: int = 2) -> list[Run]:
    """The finished runs of the set, or the runs by name.

    Raises InvalidInput when there are fewer than `fewest`, or when several sets fit.
    """
    from nearid_core.runs import RunStore

    store = RunStore(arguments.store)
    if arguments.runs:
        runs, what = [store.get(run_id) for run_id in dict.fromkeys(arguments.runs)], "The choice"
    else:
        set_id = arguments.set_id or _only_set(store, arguments.dataset, arguments.family)
        runs, what = store.get_set(set_id).done, f"Run set {set_id}"
    if len(runs) < fewest:
        needs = "a comparison needs two" if fewest > 1 else "expected one or more"
        raise InvalidInput(f"{what} has {len(runs)} finished run{'s' * (len(runs) != 1)}; {needs}.")
    return runs


def _only_set(store: RunStore, dataset: str | None, family: str | None) -> str:
    fitting = {run.set_id for run in store.runs(dataset, family)}
    sets = [one for one in store.sets() if one.id in fitting]
    if not sets:
        which = " ".join(name for name in (dataset, family) if name)
        raise InvalidInput(
            f"There are no {which + ' ' * bool(which)}runs in {store.path}; make some with nearid train."
        )
    sets = [one for one in sets if len(one.done) > 1] or sets  # one run alone leaves nothing to choose
    if len(sets) > 1:
        listed = "; ".join(f"{one.id} ({one.title}, {len(one.runs)} runs)" for one in sets)
        raise InvalidInput(f"There are {len(sets)} run sets in {store.path}, choose one with --set-id: {listed}.")
    return sets[0].id


def load_arrays(files: Sequence[str]) -> list[Representation]:
    """One representation a .npy file, memory-mapped; rows are matched by position.

    Raises InvalidInput for fewer than two files or one that is not there, UnsupportedFormat for one that numpy cannot
    read without executing it.
    """
    from nearid_core.runs import Representation

    if len(files) < 2:
        raise InvalidInput(f"There is one array, {files[0]}; a comparison needs two.")
    return [Representation(_load(Path(file)), layer=file) for file in files]


def _load(path: Path) -> np.ndarray:
    import numpy as np

    try:
        values = np.load(path, mmap_mode="r", allow_pickle=False)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read ({error.strerror or error}).") from None
    except (ValueError, EOFError):
        raise UnsupportedFormat(f"{path} is not a .npy file of numbers; save one with numpy.save.") from None
    if not isinstance(values, np.ndarray):
        raise UnsupportedFormat(f"{path} is an archive of arrays; save the one you mean with numpy.save.")
    return values

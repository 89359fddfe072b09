"""``nearid compare``."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from nearid_core.cli.bar import progress_on_stderr
from nearid_core.cli.choose import add_choice, chosen_runs, load_arrays
from nearid_core.cli.output import check_output, write_table
from nearid_core.cli.verb import VERBS, Parser, Verb
from nearid_core.errors import InvalidInput
from nearid_core.jsonable import jsonable

if TYPE_CHECKING:
    import pandas as pd

    from nearid_core.align import Comparison
    from nearid_core.runs import Representation, Run

_OF_A_STORE = ("set_id", "runs", "dataset", "family", "layer", "label")


def arguments(parser: Parser) -> None:
    parser.add_argument("files", nargs="*", metavar="FILE.npy", help="compare these arrays instead of runs")
    add_choice(parser)
    parser.add_argument("--layer", help="layer to compare (default: latent, where the runs have it)")
    parser.add_argument("--groups", nargs="+", metavar="GROUP", help="transformation groups (default: all)")
    parser.add_argument("--samples", default="test", help="test, which no model trained on, or all (default: test)")
    parser.add_argument("--label", metavar="COLUMN", help="each sample's class, for controls (default: the dataset's)")
    parser.add_argument(
        "--split-seed", type=int, default=0, metavar="N", help="draws the held-out samples (default: 0)"
    )
    parser.add_argument("--out", metavar="FILE", help="also write the table, as .csv, .parquet or .html")


def run(arguments: argparse.Namespace) -> int:
    out = check_output(arguments.out)
    compared = _what(arguments)
    from nearid_core.align import compare

    settings = {name: getattr(arguments, name) for name in ("samples", "label", "split_seed")}
    if arguments.groups is not None:
        settings["groups"] = tuple(arguments.groups)
    with progress_on_stderr(silent=arguments.json) as on_progress:
        comparison = compare(compared, arguments.layer, on_progress=on_progress, **settings)
    if out is not None:
        write_table(comparison.table, out, [comparison.verdict, *comparison.notes])
    print(json.dumps(_described(comparison)) if arguments.json else _report(comparison))
    return 0


def _what(arguments: argparse.Namespace) -> list[Run] | list[Representation]:
    if not arguments.files:
        return chosen_runs(arguments)
    mixed = [f"--{name.replace('_', '-')}" for name in _OF_A_STORE if getattr(arguments, name) is not None]
    if mixed:
        raise InvalidInput(f"Files and {mixed[0]} were given; compare either arrays or runs of a store.")
    return load_arrays(arguments.files)


def _described(comparison: Comparison) -> dict[str, Any]:
    return jsonable(
        {
            "verdict": comparison.verdict,
            "layer": comparison.layer,
            "runs": comparison.runs,
            "table": comparison.table,
            "summary": comparison.summary(),
            "ica_efficiency": comparison.ica_efficiency(),
            "components": comparison.components,
            "epsilon_profile": comparison.epsilon_profile(),
            "notes": comparison.notes,
        }
    )


def _report(comparison: Comparison) -> str:
    """The verdict, then a table a space: errors and their controls in diameters of the reference."""
    parts = [comparison.verdict]
    for space, rows in comparison.summary().groupby("space", sort=False):
        parts.append(f"{space} space, in diameters:\n{_aligned(rows)}")
    means = comparison.ica_efficiency().query("reference == 'all' and efficiency.notna()")
    shares = [f"{share:.0%} in {space} space" for share, space in zip(means["efficiency"], means["space"], strict=True)]
    if shares:
        parts.append(f"ICA efficiency: {', '.join(shares)}")
    parts += [f"Note: {note}" for note in comparison.notes]
    return "\n\n".join(parts)


def _aligned(rows: pd.DataFrame) -> str:
    import pandas as pd

    shown = pd.DataFrame(
        {
            "group": rows["group"],
            "mean": rows["mean"].map(_digits) + _interval(rows["low"], rows["high"]),
            "95% within": rows["epsilon_95"].map(_digits) + _interval(rows["epsilon_95_low"], rows["epsilon_95_high"]),
            "R2": rows["r2"].map(_digits),
            **{name: rows[name].map(_digits) for name in ("constant", "class_mean", "within_label", "shuffled")},
        }
    )
    return shown.to_string(index=False)


def _interval(low: pd.Series, high: pd.Series) -> pd.Series:
    texts = " [" + low.map(_digits) + ", " + high.map(_digits) + "]"
    return texts.where(low.notna() & high.notna(), "")


def _digits(value: float) -> str:
    return "-" if value != value else f"{value:.3f}"


VERBS.register(
    Verb(
        "compare",
        "Say how closely runs, or arrays, agree: by transformation group, held-out, with controls.",
        "nearid compare --layer latent --json\n  nearid compare a.npy b.npy",
        arguments,
        run,
    )
)

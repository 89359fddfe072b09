"""``nearid factors``."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from nearid_core.cli.bar import progress_on_stderr
from nearid_core.cli.choose import add_choice, chosen_runs
from nearid_core.cli.output import check_output, write_table
from nearid_core.cli.verb import VERBS, Parser, Verb
from nearid_core.jsonable import jsonable
from nearid_core.progress import Progress, ProgressCallback

if TYPE_CHECKING:
    import pandas as pd

    from nearid_core.factors import SeedReports


def arguments(parser: Parser) -> None:
    add_choice(parser)
    parser.add_argument("--layer", help="layer to look at (default: latent, where the runs have it)")
    parser.add_argument("--factors", nargs="+", metavar="COLUMN", help="known factors (default: the dataset's own)")
    parser.add_argument(
        "--scores", nargs="+", metavar="SCORE", help="infomec, mcc, mig, sap, dci (default: all but dci)"
    )
    parser.add_argument("--spaces", nargs="+", metavar="SPACE", help="raw, pca, random, ica (default: all)")
    parser.add_argument("--variant", default="reference", help="which published InfoMEC code (default: reference)")
    parser.add_argument(
        "--bins", type=int, default=20, metavar="N", help="classes of a continuous factor (default: 20)"
    )
    parser.add_argument("--samples", default="test", help="test, which no model trained on, or all (default: test)")
    parser.add_argument(
        "--split-seed", type=int, default=0, metavar="N", help="draws the held-out samples (default: 0)"
    )
    parser.add_argument("--out", metavar="FILE", help="also write the table of scores, as .csv, .parquet or .html")


def run(arguments: argparse.Namespace) -> int:
    from nearid_core.factors import SeedReports, report_of_run, settings_of
    from nearid_core.runs import common_layer

    out = check_output(arguments.out)
    runs = chosen_runs(arguments, fewest=1)
    layer = arguments.layer or common_layer(runs)
    settings = settings_of(
        runs[0],
        arguments.factors,
        scores=None if arguments.scores is None else tuple(arguments.scores),
        spaces=None if arguments.spaces is None else tuple(arguments.spaces),
        bins=arguments.bins,
        variant=arguments.variant,
        samples=arguments.samples,
        split_seed=arguments.split_seed,
    )
    with progress_on_stderr(silent=arguments.json) as on_progress:
        each = {
            one.id: report_of_run(one, layer, settings, on_progress=_of_run(one.id, place, len(runs), on_progress))
            for place, one in enumerate(runs)
        }
    reports = SeedReports(each)
    if out is not None:
        write_table(reports.table, out, [reports.verdict, *_notes(reports)])
    print(json.dumps(_described(reports, layer)) if arguments.json else _text(reports))
    return 0


def _of_run(run_id: str, place: int, runs: int, on_progress: ProgressCallback) -> ProgressCallback:
    """One run's progress as a part of all."""
    return lambda step: on_progress(
        Progress(f"{run_id}: {step.what}", int(1000 * (place + step.fraction)), 1000 * runs, step.seconds)
    )


def _notes(reports: SeedReports) -> list[str]:
    return list(dict.fromkeys(note for report in reports.reports.values() for note in report.notes))


def _described(reports: SeedReports, layer: str) -> dict[str, Any]:
    first = next(iter(reports.reports.values()))
    return jsonable(
        {
            "verdict": reports.verdict,
            "layer": layer,
            "runs": list(reports.reports),
            "settings": first.settings,
            "table": reports.table,
            "summary": reports.summary(),
            "associations": {run: report.associations for run, report in reports.reports.items()},
            "diagnostics": {run: report.components.diagnostics for run, report in reports.reports.items()},
            "notes": _notes(reports),
        }
    )


def _text(reports: SeedReports) -> str:
    """The verdict, the scores by space, and for each component of the first run what it goes with."""
    first = next(iter(reports.reports.values()))
    summary = reports.summary().query("subset == 'all'")
    scores = list(dict.fromkeys(summary["score"]))
    wide = summary.pivot_table(index="space", columns="score", values="value", dropna=False)
    wide = wide.reindex(index=first.settings["spaces"], columns=scores).rename_axis(index=None, columns=None)
    null = summary[summary["space"] == "ica"].set_index("score")["null_mean"].reindex(scores)
    wide.loc["(null)"] = null
    parts = [reports.verdict, f"Scores, mean over {len(reports.reports)} runs; (null): unrelated factors, ica space:"]
    parts[-1] += f"\n{wide.to_string(na_rep='-', float_format='{:.3f}'.format)}"
    if "ica" in first.settings["spaces"]:
        run = next(iter(reports.reports))
        shown = _aligned(first.association("ica", "nmi").assign(identified=first.components.diagnostics["identified"]))
        parts.append(f"Independent components of {run} against factors, normalised mutual information:\n{shown}")
    return "\n\n".join([*parts, *(f"Note: {note}" for note in _notes(reports))])


def _aligned(table: pd.DataFrame) -> str:
    return table.rename_axis(index=None).to_string(na_rep="-", float_format="{:.2f}".format)


VERBS.register(
    Verb(
        "factors",
        "Say which component is what, and whether ICA finds the known factors: scores with nulls and random rotations.",
        "nearid factors --dataset balanced_scene\n  nearid factors --runs ID --factors label plate --out scores.csv",
        arguments,
        run,
    )
)

"""``nearid batches``."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nearid_core.cli.bar import progress_on_stderr
from nearid_core.cli.output import check_output, write_table
from nearid_core.cli.verb import VERBS, Parser, Verb, add_store
from nearid_core.errors import InvalidInput
from nearid_core.jsonable import jsonable

if TYPE_CHECKING:
    import pandas as pd

    from nearid_core.batches import BatchReport
    from nearid_core.runs import Run

_ROLES = ("batch", "label", "control", "group", "position", "mechanism", "level")
_SHOWN = {
    "space": "space",
    "dimensions": "dims",
    "mean_eta2_batch": "batch eta2",
    "mean_eta2_bio": "bio eta2",
    "share": "top share",
    "mean_top": "top mean",
    "area": "removal area",
    "ratio_at_quarter": "ratio at 25%",
}


def arguments(parser: Parser) -> None:
    parser.add_argument("table", nargs="?", metavar="ID", help="the table or run (default: the only one of the store)")
    add_store(parser)
    parser.add_argument("--layer", help="layer (default: latent, else the last)")
    parser.add_argument("--batch", metavar="COLUMN", help="the technical unit (default: what the import said)")
    parser.add_argument("--label", metavar="COLUMN", help="the biology")
    parser.add_argument("--control", metavar="VALUE", help="a value of the label, or COLUMN=VALUE")
    parser.add_argument("--group", metavar="COLUMN", help="rows that are not independent, such as a physical plate")
    parser.add_argument("--position", metavar="COLUMN", help="the well")
    parser.add_argument("--mechanism", metavar="COLUMN", help="what several labels share; retrieved across labels")
    parser.add_argument("--level", help="what a row is: cell, field, well, replicate or consensus")
    parser.add_argument("--spaces", nargs="+", metavar="SPACE", help="base, pca, pca_ica, pca_random and corrections")
    parser.add_argument("--drop", metavar="N,N", help="components to drop (default: those more batch than biology)")
    parser.add_argument(
        "--components", type=int, metavar="N", help="directions kept (default: 99%% of the variance, up to 64)"
    )
    parser.add_argument("--transductive", action="store_true", help="fit spaces on all rows, without labels")
    parser.add_argument(
        "--no-classify", action="store_true", help="leave the classifiers out, which take most of the time"
    )
    parser.add_argument("--split-seed", type=int, default=0, metavar="N", help="draws the held-out half (default: 0)")
    parser.add_argument("--out", metavar="FILE", help="also write the table of components, as .csv, .parquet or .html")
    parser.add_argument("--export", metavar="FILE", help="write the table without the dropped components: .parquet, "
                        ".csv, .npz or .h5ad")  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    from nearid_core.batches import report_of_run, settings_of
    from nearid_core.runs.atomic import check_target

    out = check_output(arguments.out)
    if arguments.export:
        check_target(Path(arguments.export), overwrite=False)
    chosen = _chosen(arguments)
    settings = settings_of(chosen, **{role: getattr(arguments, role) for role in _ROLES})
    settings = replace(
        settings,
        spaces=tuple(arguments.spaces or settings.spaces),
        drop=_numbers(arguments.drop),
        n_components=arguments.components,
        transductive=arguments.transductive,
        classify=not arguments.no_classify,
        split_seed=arguments.split_seed,
    )
    with progress_on_stderr(silent=arguments.json) as on_progress:
        report = report_of_run(chosen, arguments.layer, settings, on_progress=on_progress)
    if out is not None:
        write_table(report.table, out, [report.verdict, *report.notes])
    if arguments.export:
        report.export(arguments.export)
    print(json.dumps(_described(report)) if arguments.json else _text(report))
    return 0


def _chosen(arguments: argparse.Namespace) -> Run:
    from nearid_core.runs import RunStore

    store = RunStore(arguments.store)
    if arguments.table:
        return store.get(arguments.table)
    runs = [run for run in store.runs() if run.status == "done"]
    if len(runs) != 1:
        listed = ", ".join(run.id for run in runs[:10]) or "none; bring one with nearid import"
        raise InvalidInput(f"There are {len(runs)} runs in {store.path}; name one of them: {listed}.")
    return runs[0]


def _numbers(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    try:
        return tuple(int(number) for number in text.split(",") if number.strip())
    except ValueError:
        raise InvalidInput(f"--drop is {text!r}; expected numbers of components, such as 0,4,7.") from None


def _described(report: BatchReport) -> dict[str, Any]:
    names = ("table", "summary", "advantages", "cross_batch", "cross_batch_labels", "mixing", "retrieval")
    return jsonable(
        {
            "verdict": report.verdict,
            "design": report.design.sentence,
            "drop": report.drop,
            "settings": report.settings,
            **{name: getattr(report, name) for name in names},
            "notes": report.notes,
        }
    )


def _text(report: BatchReport) -> str:
    shown = report.summary[[name for name in _SHOWN if name in report.summary]].rename(columns=_SHOWN)
    parts = [report.design.sentence, report.verdict, _aligned(shown)]
    if len(report.cross_batch):
        columns = ["space", "penalty", "auroc", "low", "high", "auroc_permuted", "n_labels"]
        parts.append(f"AUROC on batches left out, mean over labels:\n{_aligned(report.cross_batch[columns])}")
    parts.append(f"Mixing (of batches, and of labels):\n{_aligned(report.mixing_table)}")
    if len(report.retrieval):
        found = _aligned(report.retrieval_summary)
        parts.append(f"Retrieval (replicates across batches, mechanisms across labels), means:\n{found}")
    dropped = ", ".join(map(str, report.drop)) or "none"
    parts.append(f"Dropped components (space kept): {dropped}")
    return "\n\n".join([*parts, *(f"Note: {note}" for note in report.notes)])


def _aligned(table: pd.DataFrame) -> str:
    return table.to_string(index=False, na_rep="-", float_format="{:.3f}".format)


VERBS.register(
    Verb(
        "batches",
        "Tell biology from batch: which components are which, what dropping costs, whether it holds on new batches.",
        "nearid batches --batch plate --label moa --control compound=DMSO\n"
        "  nearid batches ID --drop 0,4,7 --export cleaned.parquet",
        arguments,
        run,
    )
)

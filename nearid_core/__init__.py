"""Can representations be trusted? Statistical and structural near-identifiability, measured.

Everything here is loaded when it is first used: importing the package loads neither torch nor scipy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nearid_core.lazy import loader

if TYPE_CHECKING:
    from nearid_core import align, batches, exchange, factors, figures, gallery
    from nearid_core.align import GROUPS, Comparison, compare
    from nearid_core.batches import BatchReport, batch_report
    from nearid_core.components import Components, fit_components
    from nearid_core.datasets import Dataset, dataset_names, load_dataset
    from nearid_core.errors import (
        Cancelled,
        CorruptRun,
        InvalidInput,
        NearIdError,
        NotIdentifiable,
        SampleMismatch,
        UnsupportedFormat,
    )
    from nearid_core.exchange import export_loadings, export_representation, export_table, import_runs
    from nearid_core.factors import FactorReport, InfoMEC, infomec, score_factors, traverse
    from nearid_core.models import family_names
    from nearid_core.progress import Progress
    from nearid_core.runs import Representation, Run, RunSet, RunStore
    from nearid_core.runs.archive import export_run, export_set
    from nearid_core.training import TrainConfig, train

__version__ = "0.1.0"

_HOMES = {
    "align": ("GROUPS", "Comparison", "compare"),
    "batches": ("BatchReport", "batch_report"),
    "components": ("Components", "fit_components"),
    "datasets": ("Dataset", "dataset_names", "load_dataset"),
    "errors": (
        "Cancelled",
        "CorruptRun",
        "InvalidInput",
        "NearIdError",
        "NotIdentifiable",
        "SampleMismatch",
        "UnsupportedFormat",
    ),
    "exchange": ("export_loadings", "export_representation", "export_table", "import_runs"),
    "factors": ("FactorReport", "InfoMEC", "infomec", "score_factors", "traverse"),
    "models": ("family_names",),
    "progress": ("Progress",),
    "runs": ("Representation", "Run", "RunSet", "RunStore"),
    "runs.archive": ("export_run", "export_set"),
    "training": ("TrainConfig", "train"),
}
_MODULES = ("align", "batches", "exchange", "factors", "figures", "gallery")

__all__ = [
    "GROUPS",
    "BatchReport",
    "Cancelled",
    "Comparison",
    "Components",
    "CorruptRun",
    "Dataset",
    "FactorReport",
    "InfoMEC",
    "InvalidInput",
    "NearIdError",
    "NotIdentifiable",
    "Progress",
    "Representation",
    "Run",
    "RunSet",
    "RunStore",
    "SampleMismatch",
    "TrainConfig",
    "UnsupportedFormat",
    "align",
    "batch_report",
    "batches",
    "compare",
    "dataset_names",
    "exchange",
    "export_loadings",
    "export_representation",
    "export_run",
    "export_set",
    "export_table",
    "factors",
    "family_names",
    "figures",
    "fit_components",
    "gallery",
    "import_runs",
    "infomec",
    "load_dataset",
    "score_factors",
    "train",
    "traverse",
]


__getattr__ = loader(__name__, _HOMES, _MODULES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

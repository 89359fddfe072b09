"""Biology against technical batches: what separates, what dropping it costs, and whether it holds on new batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nearid_core.lazy import loader

if TYPE_CHECKING:
    from nearid_core.batches.aggregation import aggregate
    from nearid_core.batches.columns import Columns, resolve
    from nearid_core.batches.corrected_spaces import SPACES
    from nearid_core.batches.correction import ComponentRemoval
    from nearid_core.batches.design import Design, check_design
    from nearid_core.batches.of_run import cached_report, report_of_run, settings_of
    from nearid_core.batches.report import BatchReport
    from nearid_core.batches.reporting import batch_report
    from nearid_core.batches.settings import Settings
    from nearid_core.batches.sparsity import concentration, hoyer

_HOMES = {
    "aggregation": ("aggregate",),
    "columns": ("Columns", "resolve"),
    "correction": ("ComponentRemoval",),
    "design": ("Design", "check_design"),
    "of_run": ("cached_report", "report_of_run", "settings_of"),
    "report": ("BatchReport",),
    "reporting": ("batch_report",),
    "settings": ("Settings",),
    "corrected_spaces": ("SPACES",),
    "sparsity": ("concentration", "hoyer"),
}

__all__ = [
    "SPACES",
    "BatchReport",
    "Columns",
    "ComponentRemoval",
    "Design",
    "Settings",
    "aggregate",
    "batch_report",
    "cached_report",
    "check_design",
    "concentration",
    "hoyer",
    "report_of_run",
    "resolve",
    "settings_of",
]


__getattr__ = loader(__name__, _HOMES)

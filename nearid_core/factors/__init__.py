"""Components against known factors: which component is what, and does ICA find the factors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nearid_core.lazy import loader

if TYPE_CHECKING:
    from nearid_core.factors.information_scores import InfoMEC, infomec
    from nearid_core.factors.known_factors import FactorTable, factor_table
    from nearid_core.factors.of_run import cached_report, report_of_run
    from nearid_core.factors.report import FactorReport
    from nearid_core.factors.scores import SCORES
    from nearid_core.factors.scoring import score_factors
    from nearid_core.factors.seeds import SeedReports
    from nearid_core.factors.settings import Settings, default_factors, possible_factors, settings_of
    from nearid_core.factors.spaces import SPACES
    from nearid_core.factors.traversal import can_traverse, traverse
    from nearid_core.factors.variants import VARIANTS

__all__ = [
    "SCORES",
    "SPACES",
    "VARIANTS",
    "FactorReport",
    "FactorTable",
    "InfoMEC",
    "SeedReports",
    "Settings",
    "cached_report",
    "can_traverse",
    "default_factors",
    "factor_table",
    "infomec",
    "possible_factors",
    "report_of_run",
    "score_factors",
    "settings_of",
    "traverse",
]

__getattr__ = loader(
    __name__,
    {
        "known_factors": ("FactorTable", "factor_table"),
        "information_scores": ("InfoMEC", "infomec"),
        "of_run": ("cached_report", "report_of_run"),
        "report": ("FactorReport",),
        "scores": ("SCORES",),
        "scoring": ("score_factors",),
        "seeds": ("SeedReports",),
        "settings": ("Settings", "default_factors", "possible_factors", "settings_of"),
        "spaces": ("SPACES",),
        "traversal": ("can_traverse", "traverse"),
        "variants": ("VARIANTS",),
    },
)

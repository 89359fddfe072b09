"""The factor reports that ship with the demo are what its runs give."""

from __future__ import annotations

from pathlib import Path

import pytest

import nearid_core as nid
from nearid_core.factors import SeedReports, cached_report, report_of_run, settings_of
from nearid_core.results import ResultCache

DEMO = Path(__file__).parents[2] / "data" / "demo" / "runs"


@pytest.fixture(scope="module")
def runs() -> list[nid.Run]:
    return nid.RunStore(DEMO).runs(dataset="balanced_scene")


def test_the_shipped_reports_are_found_and_say_that_ica_finds_the_factors(runs: list[nid.Run], tmp_path: Path) -> None:
    settings = settings_of(runs[0])
    found = {run.id: cached_report(run, "latent", settings, cache=ResultCache(tmp_path)) for run in runs}
    assert len(found) == 3
    assert all(found.values())
    verdict = SeedReports({run: report for run, report in found.items() if report}).verdict
    assert verdict.startswith("ICA finds the factors (in 3 of 3 runs). MCC 0.99")


def test_a_shipped_report_is_what_reading_its_run_gives(runs: list[nid.Run], tmp_path: Path) -> None:
    settings = settings_of(runs[0])
    shipped = cached_report(runs[0], "latent", settings, cache=ResultCache(tmp_path))
    fresh = report_of_run(runs[0], "latent", settings, cache=ResultCache(tmp_path, shipped=()))
    assert shipped is not None
    old, new = (
        report.summary().query("subset == 'all'").set_index(["space", "score"])["value"] for report in (shipped, fresh)
    )
    assert new.to_dict() == pytest.approx(old.to_dict(), abs=2e-3)

"""What every test may rely on."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Generator
from pathlib import Path

import pytest

CHROMIUM = Path("/usr/bin/chromium")
REQUIRED = "NEARID_REQUIRE_BROWSER"  # set where a skipped browser test would hide a broken page


def missing_browser() -> str | None:
    """Why browser tests cannot run here, or None."""
    if not os.access(CHROMIUM, os.X_OK):
        return f"there is no Chromium at {CHROMIUM}"
    if importlib.util.find_spec("playwright") is None:
        return "playwright is not installed"
    return None


@pytest.fixture(autouse=True)
def _own_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test reads or writes the runs and results of the person who runs it."""
    monkeypatch.setenv("NEARID_STORE", str(tmp_path / "default-store"))
    monkeypatch.setenv("NEARID_CACHE", str(tmp_path / "default-cache"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    reason = missing_browser()
    if reason is not None:
        for item in items:
            if item.get_closest_marker("browser"):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """A whole file of browser tests that was skipped is a failure too, where they are required."""
    report = yield
    if report.skipped and "browser" in collector.path.parts and os.environ.get(REQUIRED):
        report.outcome, report.longrepr = "failed", f"{collector.path} was skipped under {REQUIRED}."
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and item.get_closest_marker("browser") and os.environ.get(REQUIRED):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome, report.longrepr = "failed", f"A browser test was skipped under {REQUIRED}: {reason}"
    return report

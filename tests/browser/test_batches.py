"""A lasso around components drops them, and the page, its link and a reload follow."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from nearid_core.batches import report_of_run
from nearid_core.results import ResultCache
from nearid_core.runs import RunStore
from tests.pages.test_batches import import_screen

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_components_inside_a_lasso_are_kept_and_the_link_says_so(
    serve: Callable[[Path], str], tmp_path: Path, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    from playwright.sync_api import expect

    monkeypatch.setenv("NEARID_CACHE", str(tmp_path / "cache"))
    run = import_screen(RunStore(tmp_path / "store"), tmp_path / "files")
    report_of_run(run, cache=ResultCache(tmp_path / "cache"))
    page.goto(f"{serve(tmp_path / 'store')}/batches?set={run.set_id}")
    dropped = page.get_by_test_id("stMetric").filter(has_text="Components dropped")
    expect(dropped).to_contain_text("4 of 8", timeout=60_000)

    figure = page.locator(".js-plotly-plot", has_text="between batches").first
    figure.scroll_into_view_if_needed()
    area = figure.locator(".nsewdrag").first.bounding_box()
    assert area is not None
    corners = [(0.01, 0.01), (0.99, 0.01), (0.99, 0.99), (0.01, 0.99), (0.01, 0.02)]
    points = [(area["x"] + x * area["width"], area["y"] + y * area["height"]) for x, y in corners]
    page.mouse.move(*points[0])
    page.mouse.down()
    for point in points[1:]:
        page.mouse.move(*point, steps=12)
    page.mouse.up()
    expect(page.get_by_text(re.compile(r"\d components? selected"))).to_be_visible(timeout=20_000)
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(dropped).not_to_contain_text("4 of 8", timeout=20_000)
    kept = dropped.inner_text()
    page.reload()
    expect(dropped).to_have_text(re.compile(re.escape(kept.splitlines()[-1])), timeout=60_000)

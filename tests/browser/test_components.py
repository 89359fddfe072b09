"""A click on a cell shows its component decoded, and the link says which."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import nearid_core as nid
from nearid_core.factors import report_of_run, settings_of
from nearid_core.results import ResultCache
from tests.pages.test_components import CONFIG

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_a_click_on_a_cell_looks_closer_and_the_link_keeps_it(
    serve: Callable[[Path], str], tmp_path: Path, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    from playwright.sync_api import expect

    monkeypatch.setenv("NEARID_CACHE", str(tmp_path / "cache"))
    for run in nid.train(CONFIG, "0-1", tmp_path / "store"):
        report_of_run(run, "latent", settings_of(run), cache=ResultCache(tmp_path / "cache"))
    page.goto(f"{serve(tmp_path / 'store')}/components?set={CONFIG.set_id}")
    expect(page.get_by_text("What do the scores make of it?")).to_be_visible(timeout=60_000)
    heading = page.get_by_role("heading", name=re.compile("component . and "))
    before = heading.inner_text()

    figure = page.locator(".js-plotly-plot", has_text="PCA + random").first
    figure.scroll_into_view_if_needed()
    raw = figure.locator(".nsewdrag").first.bounding_box()
    assert raw is not None
    page.mouse.click(raw["x"] + raw["width"] / 12, raw["y"] + raw["height"] / 6)
    expect(page.get_by_role("heading", name=re.compile("^Raw component . and floor_hue"))).to_be_visible(timeout=30_000)
    assert not before.startswith("Raw")
    assert "cell=raw%3A" in page.url
    page.reload()
    expect(page.get_by_role("heading", name=re.compile("^Raw component . and floor_hue"))).to_be_visible(timeout=60_000)

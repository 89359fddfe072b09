"""A file dropped on a real page becomes runs, and the link to them opens the same view elsewhere."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


def test_a_dropped_csv_is_corrected_imported_compared_and_linked(
    serve: Callable[[Path], str], tmp_path: Path, page: Page, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    from playwright.sync_api import TimeoutError, expect

    monkeypatch.setenv("NEARID_CACHE", str(tmp_path / "cache"))
    table = turned_twice(tmp_path / "mine.csv")
    address = serve(tmp_path / "store")
    page.goto(address)
    page.get_by_role("button", name="Bring your own").click()
    page.locator("input[type=file]").first.set_input_files(table)
    expect(page.get_by_text("One table")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel", exact=True)).to_have_count(1)  # the form is drawn to its end
    page.wait_for_load_state("networkidle")
    page.get_by_text("More columns: run").click()
    field = page.get_by_role("combobox", name="Run or seed")
    for _ in range(5):  # a menu that opens while the page is drawn is closed again
        field.click()
        with contextlib.suppress(TimeoutError):
            page.get_by_role("option", name="attempt").click(timeout=4_000)
            break
    expect(page.get_by_text("2 runs")).to_be_visible()
    go = page.get_by_role("button", name="Import", exact=True)
    expect(go).to_have_count(1)  # what a change of the form replaces stays for a moment
    expect(go).to_be_enabled()
    go.click()
    page.get_by_role("link", name="See how well they agree").click()
    verdict = page.get_by_role("heading", name=re.compile("95% of samples agree"))
    expect(verdict).to_be_visible(timeout=60_000)
    seen = verdict.inner_text()
    page.reload()
    expect(verdict).to_have_text(seen, timeout=60_000)
    assert "set=mine-" in page.url

    other = browser.new_context(viewport={"width": 1280, "height": 1000}).new_page()
    other.goto(page.url)
    expect(other.get_by_role("heading", name=re.compile("95% of samples agree"))).to_have_text(seen, timeout=60_000)
    other.context.close()


def turned_twice(path: Path, n: int = 200) -> Path:
    """Two attempts at one representation that differ by a rotation and a little noise, in one table."""
    rng = np.random.default_rng(0)
    z = rng.laplace(size=(n, 3))
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    both = np.vstack([z, z @ turn + 0.02 * rng.normal(size=(n, 3))])
    frame = pd.DataFrame(both, columns=["z0", "z1", "z2"])
    frame.insert(0, "sample", [f"s{row}" for row in range(n)] * 2)
    frame.insert(1, "attempt", np.repeat(["one", "two"], n))
    frame.to_csv(path, index=False)
    return path

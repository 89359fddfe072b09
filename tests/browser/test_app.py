"""What only a real server and a real browser show."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.fabricate import CONFIG

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

Serve = Callable[[Path], str]


def fill(field: Locator, value: str) -> None:
    field.fill(value)
    field.press("Enter")


def test_a_deep_link_on_a_fresh_server_shows_sidebar_and_page(serve: Serve, compared: Path, page: Page) -> None:
    from playwright.sync_api import expect

    page.goto(f"{serve(compared)}/alignment?set={CONFIG.set_id}&layer=encoder_1")
    expect(page.get_by_role("heading", name="Alignment")).to_be_visible()
    expect(page.get_by_role("link", name="Overview")).to_be_visible()
    expect(page.get_by_role("combobox", name="Layer")).to_have_value("encoder_1")
    assert f"set={CONFIG.set_id}&layer=encoder_1" in page.url


def test_nothing_outside_this_machine_is_asked_for(serve: Serve, compared: Path, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    address = serve(compared)
    for path in ("", "train", "runs", "alignment"):
        page.goto(f"{address}/{path}")
        page.get_by_test_id("stHeading").first.wait_for()
        page.wait_for_load_state("networkidle")
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []


def test_a_reload_keeps_the_view(serve: Serve, compared: Path, page: Page) -> None:
    from playwright.sync_api import expect

    page.goto(f"{serve(compared)}/alignment")
    page.get_by_role("radio", name="component").click()
    axis = page.get_by_text("error (component-space diameters)").first
    expect(axis).to_be_visible()
    page.wait_for_url(re.compile(r"space=component"))
    page.reload()
    expect(axis).to_be_visible()


def test_the_selection_follows_to_another_page_and_back_leads_back(serve: Serve, compared: Path, page: Page) -> None:
    page.goto(f"{serve(compared)}/alignment?set={CONFIG.set_id}&layer=encoder_1")
    page.get_by_role("link", name="Overview").click()
    page.get_by_role("heading", name="Overview").wait_for()
    assert page.evaluate("location.search") == f"?set={CONFIG.set_id}&layer=encoder_1"
    page.go_back()
    page.get_by_role("heading", name="Alignment").wait_for()


def test_a_link_to_a_set_that_is_not_here_says_so(serve: Serve, compared: Path, page: Page) -> None:
    from playwright.sync_api import expect

    page.goto(f"{serve(compared)}/alignment?set=digits-autoencoder-00000000&layer=latent")
    expect(page.get_by_text("neither in this store nor in the demo").first).to_be_visible()
    expect(page.get_by_text("95% of samples agree")).to_have_count(0)
    assert "digits-autoencoder-00000000" in page.url


def test_a_click_on_a_pair_shows_its_numbers(serve: Serve, compared: Path, page: Page) -> None:
    from playwright.sync_api import expect

    page.goto(f"{serve(compared)}/alignment")
    figure = page.locator(".js-plotly-plot", has_text="mean error (latent diameters)")
    figure.locator(".scatterlayer .point").first.click(force=True)
    expect(page.get_by_text("seed 1 mapped onto seed 0")).to_be_visible()


def test_two_seeds_are_trained_and_compared_from_the_page(serve: Serve, tmp_path: Path, page: Page) -> None:
    """As a newcomer goes: fill in the form, watch, reload in between, read the verdict."""
    from playwright.sync_api import expect

    page.goto(f"{serve(tmp_path / 'store')}/train")
    fill(page.get_by_role("textbox", name="seeds"), "0-1")
    fill(page.get_by_role("spinbutton", name="latent dim"), "3")
    fill(page.get_by_role("spinbutton", name="epochs"), "20")
    page.get_by_text("2 seeds").wait_for()
    page.get_by_role("button", name="Start training").click()
    page.get_by_role("button", name="Stop").wait_for()
    page.reload()
    page.get_by_role("button", name="Alignment").click()
    expect(page.get_by_role("heading", name=re.compile("95% of samples agree within"))).to_be_visible()
    expect(page.locator(".js-plotly-plot", has_text="signed").first).to_be_visible()


def test_a_training_stops_when_asked_and_can_be_resumed(serve: Serve, tmp_path: Path, page: Page) -> None:
    from playwright.sync_api import expect

    page.goto(f"{serve(tmp_path / 'store')}/train")
    fill(page.get_by_role("spinbutton", name="epochs"), "100000")
    page.get_by_role("button", name="Start training").click()
    page.get_by_text("samples/s").wait_for()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped on request")).to_be_visible()
    page.get_by_role("link", name="Runs").click()
    expect(page.get_by_role("button", name="Resume").first).to_be_visible()

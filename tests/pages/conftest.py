import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

import nearid_core as nid
from nearid_core.results import ResultCache
from nearid_core.results.cache import default_cache
from nearid_core.runs import RunStore
from pages.shared import comparisons, stores
from pages.shared.components import reports
from tests.fabricate import fabricate_runs

APP = Path(__file__).parents[2] / "app.py"
Open = Callable[..., AppTest]


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No demo, nothing that an earlier test had cached, and nothing that begins unasked."""
    monkeypatch.setattr(stores, "_DEMO", tmp_path / "no-demo")
    monkeypatch.setattr(comparisons, "SMALL", 0)
    monkeypatch.setattr(reports, "SMALL", 0)
    monkeypatch.delenv(stores.READONLY, raising=False)
    st.cache_resource.clear()


@pytest.fixture
def _as_on_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """AppTest starts each run as a fresh server would, running a page without the router; a click is lost then.

    On a server that happens once, before anybody can click.
    """
    begin = PagesManager.__init__

    def begin_with_router(self: PagesManager, *arguments: Any, **named: Any) -> None:
        begin(self, *arguments, **named)
        PagesManager.uses_pages_directory = False

    monkeypatch.setattr(PagesManager, "__init__", begin_with_router)


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> RunStore:
    monkeypatch.setenv("NEARID_STORE", str(tmp_path / "store"))
    return RunStore()


@pytest.fixture
def open_page(store: RunStore, _as_on_a_server: None) -> Open:
    """A page of the app, as somebody who follows a link sees it."""

    def visit(page: str = "overview", **query: str) -> AppTest:
        app = AppTest.from_file(APP, default_timeout=60)
        for name, value in query.items():
            app.query_params[name] = value
        app.run()
        if page != "overview":
            app.switch_page(f"pages/{page}.py").run()
        assert not app.exception
        return app

    return visit


@pytest.fixture(scope="session")
def _compared_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("compared")
    nid.compare(fabricate_runs(RunStore(folder / "store"), range(3)), "latent", cache=ResultCache(folder / "cache"))
    return folder


@pytest.fixture
def compared(store: RunStore, _compared_once: Path) -> RunStore:
    """Three runs, and their comparison in the cache."""
    shutil.copytree(_compared_once / "store", store.path)
    shutil.copytree(_compared_once / "cache", default_cache())
    return store


def text(app: AppTest) -> str:
    """All that a visitor reads on the page."""
    kinds = ("title", "subheader", "markdown", "caption", "info", "warning", "error", "success")
    return "\n".join(str(element.value) for kind in kinds for element in app.get(kind))

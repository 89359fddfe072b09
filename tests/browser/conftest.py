"""A real server and a real Chromium: what a simulated page cannot show."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import nearid_core as nid
from nearid_core.results import ResultCache
from nearid_core.runs import RunStore
from tests.conftest import CHROMIUM
from tests.fabricate import fabricate_runs

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)
PATIENCE = 60_000  # ms; a busy machine may take that long to start torch


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE / 2)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[[Path], str]]:
    """Start a fresh server on a store; its address."""
    servers: list[subprocess.Popen[bytes]] = []

    def start(store: Path) -> str:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        command = [sys.executable, "-m", "streamlit", "run", "app.py"]
        flags = ["--server.port", str(port), "--server.headless", "true", "--server.fileWatcherType", "none"]
        environment = {**os.environ, "NEARID_STORE": str(store)}
        with (tmp_path / "server.log").open("wb") as log:
            servers.append(subprocess.Popen([*command, *flags], cwd=ROOT, env=environment, stdout=log, stderr=log))
        address = f"http://127.0.0.1:{port}"
        _await(f"{address}/_stcore/health")
        return address

    yield start
    for server in servers:
        server.terminate()
        server.wait()


@pytest.fixture
def compared(tmp_path: Path, _compared_once: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of three runs whose comparison is in the cache."""
    shutil.copytree(_compared_once, tmp_path / "compared")
    monkeypatch.setenv("NEARID_CACHE", str(tmp_path / "compared" / "cache"))
    return tmp_path / "compared" / "store"


@pytest.fixture(scope="session")
def _compared_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("compared")
    nid.compare(fabricate_runs(RunStore(folder / "store"), range(3)), "latent", cache=ResultCache(folder / "cache"))
    return folder


def _await(address: str) -> None:
    deadline = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(address, timeout=1)
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
        else:
            return
    raise TimeoutError(f"no answer from {address}")

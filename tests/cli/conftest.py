"""The command line, called in this process, and a small store that it made."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from nearid_core.cli import main

TINY = [
    *("--dataset", "nonlinear_mixing", "--family", "autoencoder"),
    *("--set", "n=600", "--set", "epochs=4", "--set", "hidden=16", "--set", "latent_dim=4"),
]


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def sentences(self) -> list[str]:
        """What stderr says, one a line."""
        return self.err.splitlines()


Nearid = Callable[..., Outcome]


@pytest.fixture
def nearid(capsys: pytest.CaptureFixture[str]) -> Nearid:
    """``nearid(*arguments)`` as in a terminal."""

    def call(*arguments: object) -> Outcome:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        return Outcome(code, *capsys.readouterr())

    return call


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two runs of one set. Read only."""
    store = tmp_path_factory.mktemp("runs")
    assert main(["train", *TINY, "--seeds", "0-1", "--store", str(store)]) == 0
    return store


@pytest.fixture(autouse=True)
def _shared_cache(
    _own_folders: None, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """These tests look at one comparison again and again; it is computed once."""
    monkeypatch.setenv("NEARID_CACHE", str(tmp_path_factory.getbasetemp() / "cli-cache"))


@pytest.fixture
def store(trained: Path, tmp_path: Path) -> Path:
    """A copy of that store, to change."""
    return Path(shutil.copytree(trained, tmp_path / "copied"))

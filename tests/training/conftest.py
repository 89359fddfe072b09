"""A training that takes a few milliseconds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import nearid_core as nid
from nearid_core.training import plan, session


@pytest.fixture
def store(tmp_path: Path) -> nid.RunStore:
    return nid.RunStore(tmp_path / "store")


@pytest.fixture
def small() -> Callable[..., nid.TrainConfig]:
    """40 steps in 10 epochs on 128 training samples; widths that no vector register divides."""

    def configured(**settings: object) -> nid.TrainConfig:
        usual = {"n": 256, "hidden": (13, 7), "latent_dim": 3, "epochs": 10, "batch_size": 32}
        return nid.TrainConfig.from_settings("nonlinear_mixing", "autoencoder", usual | settings)

    return configured


@pytest.fixture
def one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every model counts as too large to be stacked."""
    monkeypatch.setitem(plan.STACKED_UP_TO, "cpu", 0)


@pytest.fixture
def tell_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "PROGRESS_EVERY", 0.0)

"""``nearid factors``."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import nearid_core as nid
from nearid_core.cli.program import main


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("factors") / "store"
    options = {"sources": 3, "observed": 6, "n": 600, "condition": 1.5, "hidden": (16,)}
    config = nid.TrainConfig("nonlinear_mixing", "autoencoder", latent_dim=3, epochs=20, options=options)
    nid.train(config, "0", path)
    return path


def test_one_run_is_enough_and_the_verdict_comes_first(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "scores.csv"
    assert main(["factors", "--store", str(store), "--scores", "mcc", "infomec", "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert said.split(":")[0].split(".")[0] in (
        "ICA finds the factors",
        "ICA comes closer to the factors than the other axes, but does not find them all",
        "ICA does not find the factors",
    )
    assert "(null)" in said
    table = pd.read_csv(out)
    assert set(table["space"]) == {"raw", "pca", "random", "ica"}
    assert {"value", "null_mean", "p_value", "low", "high"} <= set(table)


def test_json_has_everything_behind_it(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["factors", "--store", str(store), "--scores", "mcc", "infomec", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["settings"]["factors"] == ["source_1", "source_2", "source_3"]
    assert {"verdict", "table", "summary", "associations", "diagnostics", "notes"} <= set(told)


def test_wrong_use_is_a_sentence(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["factors", "--store", str(store), "--factors", "sauce_1"]) == 2
    assert "did you mean 'source_1'" in capsys.readouterr().err
    assert main(["factors", "--store", str(store), "--variant", "best"]) == 2
    assert "There is no variant 'best'" in capsys.readouterr().err

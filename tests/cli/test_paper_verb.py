"""``nearid paper`` lists the experiments, and shows what was published beside what was read."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from nearid_core.paper.disentanglement.methods import METHODS, OURS
from nearid_core.paper.disentanglement.reading import QUANTITIES
from tests.cli.conftest import Nearid


def test_without_an_experiment_it_lists_them(nearid: Nearid) -> None:
    assert [line.split()[0] for line in nearid("paper").out.splitlines()] == ["e3", "e4"]
    assert [one["name"] for one in json.loads(nearid("paper", "--json").out)] == ["e3", "e4"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["e5"], "There is no experiment 'e5'"),
        (["--quick"], "needs an experiment; there are e3, e4."),
        (["e4", "--quick"], "There is no setting of experiment e4 'quick'"),
        (["e3", "--dataset", "sprite"], "did you mean 'sprites'?"),
        (["e3", "--seeds", "a"], "Seeds are 'a'"),
    ],
)
def test_wrong_use_is_one_sentence(nearid: Nearid, tmp_path: Path, arguments: list[str], sentence: str) -> None:
    outcome = nearid("paper", *arguments, "--store", tmp_path / "S")
    assert outcome.code == 2
    assert len(outcome.sentences) == 1
    assert sentence in outcome.err
    assert not (tmp_path / "S").exists()


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores without the training behind them: .9 of AE + ICA, .5 of everything else, and .5 under the control."""
    rows = [
        dict.fromkeys(QUANTITIES, 0.9 if method is OURS and law == "uniform" else 0.5)
        | {"law": law, "method": method.name, "seed": seed, "n_active": 6, "n_factors": 6, "n_identified": 6}
        | {"setting": "", "cpu_seconds": 1.0}
        for law in ("uniform", "gaussian")
        for method in METHODS
        for seed in (0, 1)
    ]
    monkeypatch.setattr("nearid_core.paper.disentanglement.tuning.Work.scores", lambda work: pd.DataFrame(rows))


@pytest.mark.usefixtures("read")
def test_the_published_value_stands_beside_ours(nearid: Nearid, tmp_path: Path) -> None:
    outcome = nearid("paper", "e3", "--quick", "--store", tmp_path / "S", "--out", tmp_path / "e3.csv")
    assert outcome.code == 0
    row = next(line for line in outcome.out.splitlines() if "AE + ICA" in line)
    assert row.split()[4:7] == ["0.65", "0.79", "0.90"]
    assert "AE + ICA beats beta-VAE: reproduced. InfoM 0.90 against 0.50" in outcome.out
    assert ": comes out. The gain is +0.00" in outcome.out
    assert "Tuning: none here" in outcome.out
    table = pd.read_csv(tmp_path / "e3.csv")
    ours = table.query("law == 'uniform' and method == 'AE + ICA' and quantity == 'InfoC'").iloc[0]
    assert (ours["published"], ours["published_shapes3d"], ours["ours"]) == (0.40, 0.52, 0.9)


@pytest.mark.usefixtures("read")
def test_as_json_it_is_the_table_and_what_follows_from_it(nearid: Nearid, tmp_path: Path) -> None:
    found = json.loads(nearid("paper", "e3", "--json", "--store", tmp_path / "S").out)
    assert len(found["table"]) == 2 * len(METHODS) * len(QUANTITIES)
    assert any("4 settings for each method" in one for one in found["differs"])

"""``nearid import``: the preview, what to add, and the mapping that repeats it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from nearid_core.runs import RunStore
from tests.cli.conftest import Nearid


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Eight plates of ten wells, two weeks, one cell without a number."""
    rng = np.random.default_rng(0)
    plates = [f"Week{i % 2}_{i}" for i in range(8)]
    known = pd.DataFrame({"plate": np.repeat(plates, 10), "well": [f"A{i:02d}" for i in range(10)] * 8})
    known["compound"] = ["DMSO", "taxol"] * 40
    frame = known.join(pd.DataFrame(rng.standard_normal((80, 4)), columns=[f"f{j}" for j in range(4)]))
    frame.loc[3, "f2"] = np.nan
    frame.to_csv(tmp_path / "profiles.csv", index=False)
    return tmp_path / "profiles.csv"


def test_a_table_that_is_not_ready_shows_what_is_wrong_and_what_to_add(
    nearid: Nearid, table: Path, tmp_path: Path
) -> None:
    outcome = nearid("import", table, "--store", tmp_path / "store")
    assert outcome.code == 2
    assert "plate (sample_id, batch), well (sample_id, position), compound (label, negative control)" in outcome.out
    assert "nan (stop): profiles.csv has 1 empty or NaN cells" in outcome.out
    assert outcome.sentences == ["Nothing was imported. nan: add --drop nan-rows or --drop nan-columns or --keep nan."]
    assert not (tmp_path / "store").exists()


def test_the_saved_mapping_repeats_the_import(nearid: Nearid, table: Path, tmp_path: Path) -> None:
    said = ["--derive", r"week=plate~(Week\d)_", "--batch", "week", "--drop", "nan-rows", "--level", "well"]
    said += ["--control", "positive:compound=taxol", "--control", "compound=DMSO", "--group", "plate"]
    first = nearid("import", table, *said, "--save-mapping", tmp_path / "m.toml", "--store", tmp_path / "one")
    again = nearid("import", table, "--mapping", tmp_path / "m.toml", "--store", tmp_path / "two", "--json")
    assert (first.code, again.code) == (0, 0)
    (one,), (two,) = RunStore(tmp_path / "one").runs(), RunStore(tmp_path / "two").runs()
    assert one.dataset == two.dataset
    assert one.id == two.id == json.loads(again.out)["imported"][0]["id"]
    assert (one.dataset["batch"], one.dataset["group"], one.dataset["control"]) == ("week", "plate", "compound=DMSO")
    assert [control["kind"] for control in one.dataset["controls"]] == ["positive", "negative"]
    assert len(one.samples) == 79


def test_a_dry_run_imports_nothing(nearid: Nearid, table: Path, tmp_path: Path) -> None:
    outcome = nearid("import", table, "--keep", "nan", "--dry-run", "--json", "--store", tmp_path / "store")
    described = json.loads(outcome.out)
    assert (outcome.code, described["ready"], described["kind"]) == (0, True, "table")
    assert described["problems"][0]["choices"] == ["stop", "drop rows", "drop columns", "keep"]
    assert not (tmp_path / "store").exists()


def test_a_side_table_is_joined_by_key_and_its_rows_are_counted(nearid: Nearid, table: Path, tmp_path: Path) -> None:
    pd.DataFrame({"name": ["DMSO", "taxol", "taxol"], "moa": ["none", "tubulin", "tubulin"]}).to_csv(
        tmp_path / "moa.csv", index=False
    )
    said = ["import", table, "--join", "moa.csv:compound=name", "--keep", "nan", "--store", tmp_path / "store"]
    stopped = nearid(*said)
    assert (stopped.code, "would turn 80 rows into 120" in stopped.out) == (2, True)
    assert "--choose join-several=agree" in stopped.err
    assert nearid(*said, "--choose", "join-several=agree", "--label", "moa").code == 0
    (run,) = RunStore(tmp_path / "store").runs()
    assert run.samples["moa"].tolist() == ["none", "tubulin"] * 40


def test_importing_the_same_again_says_so(nearid: Nearid, table: Path, tmp_path: Path) -> None:
    said = ["import", table, "--keep", "nan", "--store", tmp_path / "store"]
    assert nearid(*said).code == 0
    again = nearid(*said)
    assert (again.code, "imported before" in again.err, len(again.sentences)) == (2, True, 1)


def test_what_a_file_says_cannot_move_the_cursor(nearid: Nearid, tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {"id": ["\x1b[2Jone", "two\u202e", "three"], "x": [1.5, 2.5, 3.5], "\x1b]0;y": [1.5, 2.0, 0.5]}
    )
    frame.to_csv(tmp_path / "t.csv", index=False)
    outcome = nearid("import", tmp_path / "t.csv", "--dry-run")
    assert outcome.code == 0
    assert not {"\x1b", "\u202e"} & set(outcome.out + outcome.err)
    assert r"\x1b[2Jone" in outcome.out


@pytest.mark.parametrize(
    ("said", "says"),
    [
        (["--control", "DMSO"], "is not COLUMN=VALUE"),
        (["--drop", "nan"], "is not KIND-rows or KIND-columns"),
        (["--drop", "nul-rows"], "There is no kind of problem 'nul'"),
        (["--choose", "nan"], "is not KIND=CHOICE"),
        (["--derive", "week=plate"], "is not NEW=COLUMN~REGEX"),
        (["--join", ":a"], "is not FILE:COLUMN"),
        (["--batch", "weak"], "There is no column of profiles.csv"),
        (["--mapping", "gone.toml"], "cannot be read"),
    ],
)
def test_wrong_use_is_one_sentence(said: list[str], says: str, nearid: Nearid, table: Path, tmp_path: Path) -> None:
    outcome = nearid("import", table, *said, "--store", tmp_path / "store")
    assert (outcome.code, len(outcome.sentences)) == (2, 1)
    assert says in outcome.err

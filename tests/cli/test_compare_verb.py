"""``nearid compare``: the verdict for a person, everything for a machine."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from nearid_core.runs import RunStore
from tests.cli.conftest import Nearid
from tests.fabricate import CONFIG, fabricate_runs

KEYS = {
    *("verdict", "layer", "runs", "table", "summary", "ica_efficiency", "components", "epsilon_profile", "notes"),
}


@pytest.fixture
def arrays(tmp_path: Path) -> Path:
    """A folder of arrays: ``a``, ``a`` rotated, and what cannot be compared with it."""
    rng = np.random.default_rng(0)
    a = rng.laplace(size=(400, 3))
    holed = a.copy()
    holed[7, 1] = np.nan
    made = {"a": a, "turned": a @ np.linalg.qr(rng.normal(size=(3, 3)))[0], "holed": holed}
    made |= {"short": a[:300], "constant": np.ones_like(a), "objects": np.array([{}], dtype=object)}
    for name, values in made.items():
        np.save(tmp_path / f"{name}.npy", values, allow_pickle=True)
    np.savez(tmp_path / "archive.npz", a=a)
    (tmp_path / "text.npy").write_text("1,2,3")
    return tmp_path


def test_the_only_run_set_is_compared_and_the_verdict_comes_first(nearid: Nearid, trained: Path) -> None:
    outcome = nearid("compare", "--store", trained, "--layer", "latent")
    assert outcome.code == 0
    verdict, _, rest = outcome.out.partition("\n")
    assert "latent diameters" in verdict
    assert "latent space" in rest
    assert "component space" in rest
    assert "signed_permutation" in rest


def test_json_is_all_of_stdout_and_has_no_nan(nearid: Nearid, trained: Path) -> None:
    outcome = nearid("compare", "--store", trained, "--json")

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    found = json.loads(outcome.out, parse_constant=refuse)
    assert outcome.err == ""
    assert set(found) == KEYS
    assert {"reference", "other", "group", "space", "mean", "constant"} <= set(found["table"][0])
    assert {"group", "space", "mean", "epsilon_95", "constant"} <= set(found["summary"][0])
    assert {"efficiency", "reason"} <= set(found["ica_efficiency"][0])
    assert len(found["runs"]) == 2
    assert found["layer"] == "latent"


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".html"])
def test_the_table_is_written_in_the_format_of_the_name(
    nearid: Nearid, trained: Path, tmp_path: Path, suffix: str
) -> None:
    file = tmp_path / f"table{suffix}"
    outcome = nearid("compare", "--store", trained, "--out", file, "--json")
    rows = len(json.loads(outcome.out)["table"])
    if suffix == ".html":
        page = file.read_text()
        assert json.loads(outcome.out)["verdict"] in page
        assert page.count("<tr") == rows + 1
    else:
        table = pd.read_csv(file) if suffix == ".csv" else pd.read_parquet(file)
        assert len(table) == rows


def test_chosen_groups_are_the_only_ones(nearid: Nearid, trained: Path) -> None:
    outcome = nearid("compare", "--store", trained, "--groups", "identity", "rigid", "--json")
    assert {row["group"] for row in json.loads(outcome.out)["table"]} == {"identity", "rigid"}


def test_two_files_are_compared_row_by_row(nearid: Nearid, arrays: Path) -> None:
    outcome = nearid("compare", arrays / "a.npy", arrays / "turned.npy", "--groups", "rigid", "linear")
    assert outcome.code == 0
    assert outcome.out.startswith("rigid: 95% of samples agree within")
    assert "rows are matched by their position" in outcome.out


@pytest.mark.parametrize(
    ("other", "code", "sentence"),
    [
        ("holed.npy", 2, "1 NaN or infinite value"),
        ("short.npy", 1, "has 400 rows and"),
        ("constant.npy", 2, "is constant"),
        ("objects.npy", 1, "is not a .npy file of numbers"),
        ("text.npy", 1, "is not a .npy file of numbers"),
        ("archive.npz", 1, "is an archive of arrays"),
        ("absent.npy", 2, "cannot be read (No such file or directory)"),
    ],
)
def test_files_that_cannot_be_compared_are_one_sentence(
    nearid: Nearid, arrays: Path, other: str, code: int, sentence: str
) -> None:
    outcome = nearid("compare", arrays / "a.npy", arrays / other)
    assert (outcome.code, len(outcome.sentences), outcome.out) == (code, 1, "")
    assert sentence in outcome.err
    assert other in outcome.err


def test_a_set_of_one_run_is_not_in_the_way_of_one_that_can_be_compared(nearid: Nearid, tmp_path: Path) -> None:
    store = RunStore(tmp_path / "store")
    pair = fabricate_runs(store, range(2))
    fabricate_runs(store, [0], replace(CONFIG, latent_dim=5))
    outcome = nearid("compare", "--store", store.path, "--layer", "latent", "--json")
    assert json.loads(outcome.out)["runs"] == [run.id for run in pair]

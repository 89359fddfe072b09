"""``nearid runs export`` and ``nearid runs add``: what leaves a store, and comes into one."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from nearid_core.runs import RunStore
from tests.cli.conftest import Nearid


def _ids(store: Path) -> list[str]:
    return [run.id for run in RunStore(store).runs()]


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_a_layer_leaves_beside_its_metadata(nearid: Nearid, trained: Path, tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"out.{suffix}"
    outcome = nearid("runs", "export", _ids(trained)[0], file, "--store", trained, "--layer", "encoder_1")
    assert outcome.code == 0, outcome.err
    table = pd.read_parquet(file) if suffix == "parquet" else pd.read_csv(file)
    assert [*table.columns[:6]] == ["sample_id", "split", "source_1", "source_2", "source_3", "source_4"]
    assert table.shape == (600, 6 + 16)


def test_components_leave_by_default_of_the_latent_layer(nearid: Nearid, trained: Path, tmp_path: Path) -> None:
    run_id = _ids(trained)[0]
    outcome = nearid("runs", "export", run_id, tmp_path / "a.npz", "--space", "ica", "--store", trained, "--json")
    assert json.loads(outcome.out) == {"export": [run_id, str(tmp_path / "a.npz")]}
    with np.load(tmp_path / "a.npz", allow_pickle=False) as archive:
        assert archive["values"].shape == (600, 4)
        assert json.loads(str(archive["settings"]))["layer"] == "latent"


def test_a_set_goes_from_store_to_store(nearid: Nearid, trained: Path, tmp_path: Path) -> None:
    (set_id,) = [one.id for one in RunStore(trained).sets()]
    assert nearid("runs", "export", set_id, tmp_path / "set.zip", "--store", trained).code == 0
    added = nearid("runs", "add", tmp_path / "set.zip", "--store", tmp_path / "other", "--json")
    assert (added.code, added.err) == (0, "")
    assert _ids(tmp_path / "other") == _ids(trained)
    again = nearid("runs", "add", tmp_path / "set.zip", "--store", tmp_path / "other")
    assert (again.code, len(again.sentences)) == (2, 1)


def test_a_file_is_overwritten_only_by_force(nearid: Nearid, trained: Path, tmp_path: Path) -> None:
    (tmp_path / "a.npz").write_text("mine")
    export = ("runs", "export", _ids(trained)[0], tmp_path / "a.npz", "--store", trained)
    refused = nearid(*export)
    assert (refused.code, (tmp_path / "a.npz").read_text()) == (2, "mine")
    assert nearid(*export, "--force").code == 0
    assert (tmp_path / "a.npz").read_bytes()[:2] == b"PK"


@pytest.mark.parametrize(
    ("what", "message"),
    [
        (["RUN"], "takes an id, of a run or a set, and a file"),
        (["RUN", "out.xlsx"], "There is no format of an embedding '.xlsx'"),
        (["SET", "out.npz"], "is a set of runs"),
        (["RUN", "out.zip", "--space", "ica"], "A zip holds whole runs"),
        (["RUN", "out.npz", "--layer", "latnt"], "did you mean 'latent'"),
        (["nobody", "out.npz"], "There is no run"),
    ],
)
def test_wrong_use_is_one_sentence(
    nearid: Nearid, trained: Path, tmp_path: Path, what: list[str], message: str
) -> None:
    names = {"RUN": _ids(trained)[0], "SET": RunStore(trained).sets()[0].id}
    given = [names.get(word, str(tmp_path / word) if word.startswith("out") else word) for word in what]
    outcome = nearid("runs", "export", *given, "--store", trained)
    assert (outcome.code, len(outcome.sentences)) == (2, 1)
    assert message in outcome.err
    assert list(tmp_path.glob("out*")) == []

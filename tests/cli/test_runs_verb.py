"""``nearid runs``: list, delete, put back."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Nearid


def _ids(nearid: Nearid, store: Path) -> list[str]:
    return [run["id"] for run in json.loads(nearid("runs", "--store", store, "--json").out)["runs"]]


def test_runs_are_listed_for_a_person_and_for_a_machine(nearid: Nearid, trained: Path) -> None:
    ids = _ids(nearid, trained)
    assert len(ids) == 2
    table = nearid("runs", "--store", trained).out
    assert all(run_id in table for run_id in ids)
    assert nearid("runs", "--store", trained, "--dataset", "digits").out.startswith("No runs in")


def test_a_deleted_run_can_be_put_back(nearid: Nearid, store: Path) -> None:
    ids = _ids(nearid, store)
    assert nearid("runs", "delete", ids[0], "--store", store).code == 0
    assert _ids(nearid, store) == ids[1:]
    assert nearid("runs", "restore", ids[0], "--store", store).code == 0
    assert _ids(nearid, store) == ids


def test_one_unknown_id_and_none_is_deleted(nearid: Nearid, store: Path) -> None:
    ids = _ids(nearid, store)
    outcome = nearid("runs", "delete", ids[0], ids[1] + "1", "--store", store)
    assert outcome.code == 2
    assert f"did you mean {ids[1]!r}?" in outcome.err
    assert _ids(nearid, store) == ids


def test_a_damaged_run_is_named_and_the_others_are_listed(nearid: Nearid, store: Path) -> None:
    ids = _ids(nearid, store)
    (store / ids[0] / "run.json").write_text("{")
    outcome = nearid("runs", "--store", store)
    assert outcome.code == 0
    assert ids[1] in outcome.out
    assert len(outcome.sentences) == 1
    assert "cannot be read" in outcome.err
    compared = nearid("compare", "--store", store, "--runs", *ids)
    assert (compared.code, len(compared.sentences)) == (1, 1)
    assert nearid("runs", "delete", ids[0], "--store", store).code == 0


def test_changed_numbers_are_noticed(nearid: Nearid, store: Path) -> None:
    ids = _ids(nearid, store)
    file = store / ids[0] / "representations.safetensors"
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    for position in range(len(data) - 4 * 600 * 4 * 4, len(data), 64):
        data[position] ^= 1
    file.write_bytes(data)
    outcome = nearid("compare", "--store", store, "--layer", "output")
    assert (outcome.code, len(outcome.sentences)) == (1, 1)
    assert f"Run {ids[0]} is damaged" in outcome.err

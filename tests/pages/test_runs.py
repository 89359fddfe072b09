"""Runs: the list, a look inside, and what can be done with them."""

import json
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nearid_core.jobs import JobQueue
from nearid_core.runs import RunStore
from pages.shared import stores
from tests.fabricate import CONFIG, fabricate_failure, fabricate_run, fabricate_runs
from tests.pages.conftest import Open, text


def select(app: AppTest, *rows: int) -> AppTest:
    app.session_state[app.dataframe[0].key] = {"selection": {"rows": list(rows), "columns": [], "cells": []}}
    return app.run()


def test_no_runs(open_page: Open) -> None:
    assert "There are no runs in" in text(open_page("runs"))


def test_the_table_lists_every_run_with_what_went_wrong(open_page: Open, store: RunStore) -> None:
    fabricate_runs(store, range(2))
    failed = fabricate_failure(store, 2)
    table = open_page("runs").dataframe[0].value
    assert list(table["status"]) == ["done", "done", "failed"]
    assert table["reason"][2] == failed.reason
    np.testing.assert_allclose(table["test_loss"][:2], [1.0, 1.01])


def test_filters_narrow_the_list(open_page: Open, store: RunStore) -> None:
    fabricate_runs(store, range(2))
    fabricate_failure(store, 2)
    app = open_page("runs")
    app.multiselect(key="filter_status").select("failed").run()
    assert list(app.dataframe[0].value["seed"]) == [2]


def test_one_run_is_shown_in_full(open_page: Open, store: RunStore) -> None:
    run, _ = fabricate_runs(store, range(2))
    app = select(open_page("runs"), 0)
    assert run.id in [element.value for element in app.subheader]
    settings = app.dataframe[1].value.set_index("setting")["seed 0"]
    assert settings["latent_dim"] == "3"
    assert len(app.get("plotly_chart")) == 1, "a run without an output layer has no reconstructions"


def test_inputs_stand_beside_what_the_run_makes_of_them(open_page: Open, store: RunStore) -> None:
    run = fabricate_run(store, 0)
    record = json.loads((run.path / "run.json").read_text())
    output = np.zeros((240, 64), np.float32)
    dataset = record["dataset"] | {"image_shape": [1, 8, 8]}
    with store.begin("with-output", {"config": CONFIG.to_dict(), "seed": 0}) as writer:
        record |= {"id": "with-output", "dataset": dataset}
        writer.finish(record, samples=run.samples.assign(sample_id=_digits_ids()), layers={"output": output})
    app = select(open_page("runs"), 1)
    assert "did not train on" in text(app)


def _digits_ids() -> list[str]:
    from nearid_core.datasets import load_dataset

    return list(load_dataset("digits", n=240).samples["sample_id"])


def test_two_runs_show_what_differs_and_nothing_else(open_page: Open, store: RunStore) -> None:
    fabricate_run(store, 0)
    fabricate_run(store, 1, replace(CONFIG, weight_decay=0.5))
    differs = select(open_page("runs"), 0, 1).dataframe[1].value
    assert set(differs["setting"]) == {"seed", "weight_decay"}


def test_a_deleted_run_can_be_put_back(open_page: Open, store: RunStore) -> None:
    run, other = fabricate_runs(store, range(2))
    app = select(open_page("runs"), 0)
    app.button(key="delete_runs").click().run()
    assert [one.id for one in store.runs()] == [other.id]
    assert "1 run deleted" in text(app)
    assert not [element for element in app.subheader if element.value == other.id], "nothing is selected any more"
    app.button(key="undo_delete").click().run()
    assert [one.id for one in store.runs()] == [run.id, other.id]
    assert "run deleted" not in text(app)


def test_tags_and_note_are_kept(open_page: Open, store: RunStore) -> None:
    run, _ = fabricate_runs(store, range(2))
    store.tag(run.id, "good")
    app = select(open_page("runs"), 0)
    app.text_area(key=f"note_{run.id}").set_value("the first one")
    app.button(key="save_notes").click().run()
    assert store.get(run.id).notes == {"tags": ["good"], "note": "the first one"}


def test_a_choice_becomes_a_set_and_is_compared(open_page: Open, store: RunStore) -> None:
    fabricate_runs(store, range(3))
    app = select(open_page("runs"), 0, 2)
    app.text_input(key="set_title").set_value("first and last").run()
    app.button(key="save_set").click().run()
    assert app.title[0].value == "Alignment"
    assert "first and last" in text(app)
    (saved,) = [one for one in store.sets() if one.title == "first and last"]
    assert app.query_params["set"] == saved.id


def test_unfinished_runs_are_resumed_with_their_own_seed(open_page: Open, store: RunStore) -> None:
    run_id = CONFIG.run_id(5)
    writer = store.begin(run_id, {"config": CONFIG.to_dict(), "seed": 5})
    writer.checkpoint.write_bytes(b"begun")
    writer.release()
    app = open_page("runs")
    assert "cut off" in text(app)
    app.button(key=f"resume_{run_id}").click().run()
    queue = JobQueue.of(store.path)
    (status,) = queue.list()
    queue.cancel(status.id)
    assert (status.request["seeds"], status.request["config"]) == ([5], CONFIG.to_dict())


def test_damaged_folders_are_named(open_page: Open, store: RunStore) -> None:
    fabricate_runs(store, [0])
    (store.path / "broken").mkdir()
    assert "broken is not a run" in text(open_page("runs"))


def test_the_demo_cannot_be_changed(
    open_page: Open, store: RunStore, monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    fabricate_runs(RunStore(tmp_path / "demo"), range(2))
    monkeypatch.setattr(stores, "_DEMO", tmp_path / "demo")
    app = select(open_page("runs"), 0)
    assert "demo cannot be" in text(app)
    assert not [button for button in app.button if button.key == "delete_runs"]


def test_read_only_cannot_delete(open_page: Open, store: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    fabricate_runs(store, range(2))
    monkeypatch.setenv(stores.READONLY, "1")
    app = select(open_page("runs"), 0)
    assert not [button for button in app.button if button.key == "delete_runs"]

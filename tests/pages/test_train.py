"""Train: from a form to a job, and what is seen of it."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from nearid_core.datasets import mnist, public
from nearid_core.jobs import JobQueue
from nearid_core.models import FAMILIES
from nearid_core.runs import RunStore
from nearid_core.training import TrainConfig
from pages.shared import stores
from tests.fabricate import CONFIG, fabricate_runs
from tests.pages.conftest import Open, text
from tests.pages.jobs import report, train_job


def test_every_setting_has_a_field_that_says_what_follows_from_it(open_page: Open) -> None:
    app = open_page("train")
    fields = {field.key: field for kind in ("number_input", "selectbox", "text_input") for field in app.get(kind)}
    for option in TrainConfig.settings("digits", "autoencoder"):
        field = fields.get(f"setting_{option.name}") or fields[f"setting_digits_autoencoder_{option.name}"]
        assert option.help in field.help


@pytest.mark.parametrize("family", FAMILIES.names())
def test_every_family_has_a_form_that_makes_its_usual_configuration(open_page: Open, family: str) -> None:
    app = open_page("train")
    app.selectbox(key="train_family").select(family).run()
    assert not app.exception
    assert not app.error
    assert TrainConfig("digits", family).set_id in text(app)


def test_samples_are_shown_before_the_training(open_page: Open) -> None:
    app = open_page("train")
    assert "988 to train on" in text(app)
    assert len(app.get("plotly_chart")) == 1


def test_a_dataset_without_images_shows_its_factors(open_page: Open) -> None:
    app = open_page("train")
    app.selectbox(key="train_dataset").select("nonlinear_mixing").run()
    assert "source_1" in app.dataframe[0].value.columns
    assert not app.error, "what was entered for the other dataset is not carried over"


def test_cells_are_shown_in_colour_a_row_of_eight_for_each_label(open_page: Open) -> None:
    app = open_page("train")
    app.selectbox(key="train_dataset").select("cells").run()
    assert not app.exception
    assert not app.error
    assert "4,000 samples of 3x32x32" in text(app)
    figure = json.loads(app.get("plotly_chart")[0].proto.spec)
    assert figure["layout"]["yaxis"]["ticktext"][:2] == ["DMSO", "compound_01"]
    assert figure["data"][0]["type"] == "image"
    assert "first samples of each perturbation" in text(app)


def test_wrong_entries_get_one_sentence_and_start_nothing(open_page: Open, store: RunStore) -> None:
    app = open_page("train")
    app.number_input(key="setting_latent_dim").set_value(0).run()
    assert "latent_dim is 0; expected a whole number from 1 to 4096" in text(app).replace("\\", "")
    app.number_input(key="setting_latent_dim").set_value(3)
    app.text_input(key="train_seeds").set_value("a-b").run()
    assert "Seeds are 'a-b'" in text(app)
    assert not [button for button in app.button if button.label == "Start training"]
    assert not store.path.exists()


def test_the_button_submits_what_the_form_says(open_page: Open, store: RunStore) -> None:
    app = open_page("train")
    app.text_input(key="train_seeds").set_value("0-1")
    app.number_input(key="setting_epochs").set_value(1)
    app.number_input(key="setting_digits_autoencoder_n").set_value(60).run()
    next(button for button in app.button if button.label == "Start training").click().run()
    queue = JobQueue.of(store.path)
    (status,) = queue.list()
    queue.cancel(status.id)
    assert status.request["seeds"] == [0, 1]
    assert status.request["config"] == TrainConfig("digits", "autoencoder", epochs=1, options={"n": 60}).to_dict()


def test_time_is_estimated_from_earlier_runs_only(open_page: Open, store: RunStore) -> None:
    app = open_page("train")
    assert "no run of this shape" in text(app)
    usual = TrainConfig("digits", "autoencoder")
    fabricate_runs(store, [0], usual, seconds=2.0)
    app = open_page("train")
    app.text_input(key="train_seeds").set_value("1-3").run()
    assert "about 6.0 s, as earlier runs of this shape took" in text(app)


def test_seeds_that_are_there_already_are_said_to_stay(open_page: Open, store: RunStore) -> None:
    fabricate_runs(store, [0, 1], TrainConfig("digits", "autoencoder"))
    app = open_page("train")
    assert "2 seeds are in the store already" in text(app)
    app.text_input(key="train_seeds").set_value("0-1").run()
    assert next(button for button in app.button if button.label == "Start training").disabled


def test_a_running_job_shows_loss_progress_and_a_stop(open_page: Open, store: RunStore) -> None:
    folder = train_job(store, CONFIG, [0, 1], state="running")
    report(folder, 10, 40, loss={"0": 1.0, "1": 1.1}, samples_per_second=5000.0)
    app = open_page("train")
    assert app.button(key=f"stop_{folder.id}").label == "Stop"
    assert "5,000 samples/s" in text(app)
    assert len(app.get("plotly_chart")) == 2


def test_a_failed_job_is_listed_with_its_reason_and_log(open_page: Open, store: RunStore) -> None:
    folder = train_job(store, CONFIG, [0], state="failed", reason="The worker process was killed.", ended=None)
    folder.log.write_text("Traceback of the worker")
    app = open_page("train")
    assert "The worker process was killed." in text(app)
    assert "Traceback of the worker" in app.code[0].value


def test_a_finished_job_leads_to_the_alignment_of_its_set(open_page: Open, store: RunStore) -> None:
    runs = fabricate_runs(store, range(2))
    result = {"runs": [run.id for run in runs], "failed": {}}
    folder = train_job(store, CONFIG, [0, 1], state="done", result=result)
    app = open_page("train")
    app.button(key=f"align_{folder.id}").click().run()
    assert app.title[0].value == "Alignment"
    assert app.query_params["set"] == CONFIG.set_id


def test_a_second_seed_starts_from_the_run_at_hand(open_page: Open, store: RunStore) -> None:
    (run,) = fabricate_runs(store, [0])
    app = open_page("train", **{"from": run.id})
    assert app.number_input(key="setting_latent_dim").value == CONFIG.latent_dim
    assert app.text_input(key="train_seeds").value == "1"
    assert CONFIG.set_id in text(app)


def test_read_only_shows_no_form(open_page: Open, store: RunStore, monkeypatch) -> None:
    monkeypatch.setenv(stores.READONLY, "1")
    app = open_page("train")
    assert "only shows runs" in text(app)
    assert not app.number_input


def test_a_table_of_ones_own_is_named_looked_at_and_trained_on(
    open_page: Open, store: RunStore, tmp_path: Path
) -> None:
    path = tmp_path / "own.csv"
    rng = np.random.default_rng(0)
    pd.DataFrame(rng.normal(size=(40, 3)), columns=["a", "b", "c"]).assign(moa="x").to_csv(path, index=False)
    app = open_page("train")
    app.selectbox(key="train_dataset").select("arrays").run()
    assert not app.exception
    assert "set path to a table" in text(app)
    app.text_input(key="setting_arrays_autoencoder_path").set_value(str(path)).run()
    assert not app.error
    assert "40 samples of 3 features" in text(app)
    next(button for button in app.button if button.label == "Start training").click().run()
    queue = JobQueue.of(store.path)
    (status,) = queue.list()
    queue.cancel(status.id)
    expected = TrainConfig("arrays", "autoencoder", options={"path": str(path)})
    assert status.request["config"] == expected.to_dict(), "empty fields are no names"


def test_mnist_that_is_not_there_says_where_to_put_it(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    def offline() -> None:
        raise OSError("no network")

    monkeypatch.setattr(mnist, "FOLDER", Path("/nowhere/mnist"))
    monkeypatch.setattr(mnist, "_fetch", offline)
    app = open_page("train")
    app.selectbox(key="train_dataset").select("mnist").run()
    assert not app.exception
    assert "There is no MNIST in /nowhere/mnist" in text(app)


@pytest.mark.parametrize("name", ["dsprites", "shapes3d", "mpi3d", "falcor3d", "isaac3d"])
def test_public_images_that_are_not_there_say_where_to_put_them(
    open_page: Open, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(public, "FOLDER", Path("/nowhere"))
    app = open_page("train")
    app.selectbox(key="train_dataset").select(name).run()
    assert not app.exception
    assert f"in /nowhere/{name}: put" in text(app).replace("\\", "")
    assert len(app.error) == 1


@pytest.mark.parametrize("name", ["sprites", "scene", "balanced_scene"])
def test_rendered_images_are_shown_in_one_row(open_page: Open, name: str) -> None:
    app = open_page("train")
    app.selectbox(key="train_dataset").select(name).run()
    assert not app.exception
    assert not app.error
    assert "The first samples." in text(app)
    assert len(app.get("plotly_chart")) == 1

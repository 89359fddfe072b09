"""Overview: what is here, in every state that a store can be in."""

from dataclasses import replace

import pytest

from nearid_core.runs import RunStore
from pages.shared import stores
from tests.fabricate import CONFIG, fabricate_failure, fabricate_runs
from tests.pages.conftest import Open, text


def test_an_empty_store_says_what_to_do(open_page: Open) -> None:
    app = open_page()
    assert "There are no runs yet" in text(app)
    assert [button.label for button in app.button] == ["Train runs", "Bring your own"]


def test_a_compared_set_shows_verdict_and_figure(open_page: Open, compared: RunStore) -> None:
    app = open_page()
    assert "95% of samples agree within" in text(app)
    assert "predicting the mean gives" in text(app)
    assert len(app.get("plotly_chart")) == 1


def test_a_set_that_was_never_compared_offers_to(open_page: Open, store: RunStore) -> None:
    fabricate_runs(store, range(2))
    app = open_page()
    assert "Not compared yet" in text(app)
    assert app.button(key=f"compare_{CONFIG.set_id}").label == "Compare"


def test_one_run_says_that_two_are_needed(open_page: Open, store: RunStore) -> None:
    fabricate_runs(store, [0])
    app = open_page()
    assert "needs at least two" in text(app)
    assert app.button(key=f"second_{CONFIG.set_id}").label == "Train a second seed"


def test_failed_runs_are_counted_with_their_reason(open_page: Open, store: RunStore) -> None:
    fabricate_failure(store, 0)
    app = open_page()
    assert "None of these runs has finished" in text(app)
    assert "1 failed" in text(app)


def test_damaged_folders_are_named_and_hide_nothing(open_page: Open, compared: RunStore) -> None:
    (compared.path / "broken").mkdir()
    app = open_page()
    assert "broken is not a run" in text(app).replace("\\", "")
    assert "95% of samples agree within" in text(app)


def test_the_demo_is_marked_and_stands_beside_ones_own(
    open_page: Open, compared: RunStore, monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    fabricate_runs(RunStore(tmp_path / "demo"), range(3))
    monkeypatch.setattr(stores, "_DEMO", tmp_path / "demo")
    app = open_page()
    assert "demo" in text(app)
    assert app.button(key=f"open_{CONFIG.set_id}")
    assert app.button(key=f"open_demo~{CONFIG.set_id}")


def test_the_demo_that_opens_is_one_that_can_be_compared(
    open_page: Open, store: RunStore, monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    demo = RunStore(tmp_path / "demo")
    fabricate_runs(demo, range(3))
    fabricate_runs(demo, [0], replace(CONFIG, latent_dim=5), created="2027-01-01T00:00:00+00:00")
    monkeypatch.setattr(stores, "_DEMO", demo.path)
    app = open_page()
    next(button for button in app.button if button.label == "Open the demo").click().run()
    assert not app.exception
    assert app.query_params["set"] == f"demo~{CONFIG.set_id}"


def test_read_only_offers_no_training(open_page: Open, compared: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(stores.READONLY, "1")
    assert "Train runs" not in [button.label for button in open_page().button]


def test_many_sets_come_in_portions(open_page: Open, store: RunStore) -> None:
    for width in range(2, 10):
        fabricate_runs(store, [0], replace(CONFIG, latent_dim=width))
    app = open_page()
    more = next(button for button in app.button if button.label == "Show 2 more sets")
    more.click().run()
    assert not any(button.label.startswith("Show") for button in app.button)

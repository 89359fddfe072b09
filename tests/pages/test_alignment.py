"""Alignment: the verdict and its figures, or what is lacking for them."""

import pytest

from nearid_core.jobs import JobQueue
from nearid_core.runs import RunStore
from pages.shared import comparisons, stores
from tests.fabricate import CONFIG, fabricate_failure, fabricate_run, fabricate_runs
from tests.pages.conftest import Open, text
from tests.pages.jobs import compare_job, report


def test_verdict_comes_first_with_its_controls_and_sizes(open_page: Open, compared: RunStore) -> None:
    shown = text(open_page("alignment"))
    assert "95% of samples agree within" in shown
    assert "predicting the mean gives" in shown
    assert "errors read on" in shown


def test_all_figures_are_drawn_in_both_spaces(open_page: Open, compared: RunStore) -> None:
    app = open_page("alignment")
    assert len(app.get("plotly_chart")) == 4
    app = open_page("alignment", space="component")
    assert len(app.get("plotly_chart")) == 4
    assert "component space" in app.metric[0].label


def test_every_figure_has_its_table(open_page: Open, compared: RunStore) -> None:
    labels = [button.label for button in open_page("alignment").get("download_button")]
    assert labels == ["CSV"] * 5


def test_ica_efficiency_has_an_interval(open_page: Open, compared: RunStore) -> None:
    assert "[" in open_page("alignment").metric[0].value


def test_no_runs(open_page: Open) -> None:
    app = open_page("alignment")
    assert "no runs to compare yet" in text(app)
    assert [button.label for button in app.button] == ["Train runs"]


def test_one_run_offers_a_second_seed(open_page: Open, store: RunStore) -> None:
    fabricate_runs(store, [0])
    app = open_page("alignment")
    assert "needs at least two" in text(app)
    app.button(key=f"second_{CONFIG.set_id}").click().run()
    assert app.title[0].value == "Train"
    assert app.text_input(key="train_seeds").value == "1"


def test_a_failed_run_is_counted_and_the_others_are_compared(open_page: Open, compared: RunStore) -> None:
    fabricate_failure(compared, 7)
    shown = text(open_page("alignment"))
    assert "1 failed" in shown
    assert "95% of samples agree within" in shown


def test_runs_without_a_common_layer_are_refused_in_a_sentence(open_page: Open, store: RunStore) -> None:
    first, second = fabricate_run(store, 0), fabricate_failure(store, 1)
    saved = store.save_set("a choice", [first.id, second.id])
    assert "needs at least two" in text(open_page("alignment", set=saved.id))


def test_what_takes_long_is_asked_first(open_page: Open, store: RunStore) -> None:
    fabricate_runs(store, range(2))
    app = open_page("alignment")
    assert "not compared yet" in text(app)
    assert "No comparison of this size was timed here yet" in text(app)
    assert app.button(key="compare").label == "Compare"


def test_what_is_small_starts_by_itself(open_page: Open, store: RunStore, monkeypatch) -> None:
    fabricate_runs(store, range(2))
    monkeypatch.setattr(comparisons, "SMALL", 2 * 240 * 3**2)
    open_page("alignment")
    queue = JobQueue.of(store.path)
    (status,) = queue.list()
    queue.cancel(status.id)
    assert (status.kind, status.request["layer"]) == ("compare", "latent")


def test_what_is_known_to_be_short_starts_by_itself(open_page: Open, store: RunStore, monkeypatch) -> None:
    fabricate_runs(store, range(2))
    monkeypatch.setattr(comparisons, "comparison_seconds", lambda *_: 1.0)
    open_page("alignment")
    queue = JobQueue.of(store.path)
    (status,) = queue.list()
    queue.cancel(status.id)
    assert status.request["layer"] == "latent"


def test_a_comparison_in_progress_says_how_far_it_is(open_page: Open, store: RunStore) -> None:
    folder = compare_job(store, fabricate_runs(store, range(2)), "latent", state="running")
    report(folder, 1, 4)
    app = open_page("alignment")
    assert app.button(key=f"stop_{folder.id}").label == "Stop"
    assert "Comparing 2 runs" in text(app)


def test_a_comparison_that_failed_says_why_and_can_be_tried_again(open_page: Open, store: RunStore) -> None:
    reason = "Runs a and b do not hold the same samples; the first that differs is digit-0001."
    compare_job(store, fabricate_runs(store, range(2)), "latent", state="failed", reason=reason)
    app = open_page("alignment")
    assert reason in text(app).replace("\\", "")
    assert app.button(key="compare")


def test_a_crash_in_a_page_is_a_sentence_with_the_detail_folded(
    open_page: Open, compared: RunStore, monkeypatch
) -> None:
    monkeypatch.setattr("pages.shared.comparisons.lookup", lambda *_: 1 / 0)
    app = open_page("alignment")
    assert "Something failed that should not have (ZeroDivisionError" in text(app)
    assert "Traceback" in app.code[0].value


def test_a_damaged_run_among_them_is_a_sentence(open_page: Open, store: RunStore) -> None:
    fabricate_runs(store, range(2))
    (store.path / CONFIG.run_id(1) / "representations.safetensors").unlink()
    shown = text(open_page("alignment"))
    assert "needs at least two" in shown


@pytest.mark.parametrize("readonly", ["1", "true"])
def test_read_only_still_shows_comparisons(open_page: Open, compared: RunStore, monkeypatch, readonly: str) -> None:
    monkeypatch.setenv(stores.READONLY, readonly)
    assert "95% of samples agree within" in text(open_page("alignment"))

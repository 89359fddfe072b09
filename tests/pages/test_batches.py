"""The Batches page: design first, one set of dropped components that everything follows, and honest refusals."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import nearid_core as nid
from nearid_core.batches import report_of_run
from nearid_core.exchange import Control, Mapping
from nearid_core.jobs import JobQueue
from nearid_core.results import ResultCache
from nearid_core.results.cache import default_cache
from nearid_core.runs import Run, RunStore
from tests.batches.conftest import planted
from tests.pages.conftest import Open, text


def import_screen(store: RunStore, folder: Path, *, nested: bool = False) -> Run:
    """A planted table of 8 plates and 6 drugs, imported as a user would."""
    data = planted((8, 6), "laplace", 0.3, "gaussian", 0, n=800)
    samples = data.samples.rename(columns={"batch": "plate", "label": "drug"})
    if nested:
        samples["drug"] = samples["plate"] + "-" + samples["drug"]
    well = [f"{row}{column + 1:02d}" for row in "ABCDEFGH" for column in range(12)]
    samples["well"] = np.random.default_rng(1).choice(well, len(samples))
    features = pd.DataFrame(data.values, columns=[f"f{number}" for number in range(8)])
    folder.mkdir(parents=True, exist_ok=True)
    pd.concat([samples, features], axis=1).to_parquet(folder / "screen.parquet")
    mapping = Mapping(
        sample_id=("sample_id",),
        batch="plate",
        label="drug",
        position="well",
        level="well",
        controls=() if nested else (Control("drug", "0"),),
    )
    return nid.import_runs(folder / "screen.parquet", store, mapping=mapping)[0]


@pytest.fixture(scope="session")
def _reported_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reported")
    report_of_run(import_screen(RunStore(folder / "store"), folder), cache=ResultCache(folder / "cache"))
    return folder


@pytest.fixture
def reported(store: RunStore, _reported_once: Path) -> Run:
    """An imported table whose report is in the cache."""
    shutil.copytree(_reported_once / "store", store.path)
    shutil.copytree(_reported_once / "cache", default_cache())
    return store.runs()[0]


def metric(app: AppTest, label: str) -> str:
    return next(one.value for one in app.metric if one.label == label)


def test_an_empty_store_says_where_tables_come_from(open_page: Open) -> None:
    app = open_page("batches")
    assert "Import one on the Runs page" in text(app)
    assert [button.label for button in app.button] == ["Bring your own"]


def test_the_design_stands_there_before_anything_is_computed(open_page: Open, store: RunStore, tmp_path: Path) -> None:
    import_screen(store, tmp_path / "files")
    app = open_page("batches")
    assert "8 batches by 6 labels, crossed" in text(app)
    assert app.button(key="compute_batches").label == "Tell batch from biology"
    assert not app.metric


def test_a_report_is_asked_for_and_made_by_a_job(open_page: Open, store: RunStore, tmp_path: Path) -> None:
    run = import_screen(store, tmp_path / "files")
    open_page("batches").button(key="compute_batches").click().run()
    queue = JobQueue.of(store.path)
    (status,) = queue.list()
    queue.cancel(status.id)
    assert (status.kind, status.request["run"]) == ("batches", run.id)
    assert status.request["settings"]["control"] == "drug=0"


def test_the_verdict_the_cost_and_every_figure_are_there(open_page: Open, reported: Run) -> None:
    app = open_page("batches")
    assert "Independent components set batch apart from biology better than PCA and random rotations do" in text(app)
    assert metric(app, "Components dropped") == "4 of 8"
    assert float(metric(app, "Batch variance left").strip("%")) < 5
    assert float(metric(app, "Biology left").strip("%")) > 90
    assert len(app.get("plotly_chart")) == 6  # crosstab, plane, curves, PCA, plate, AUROC
    assert "none of these can show a gain of ICA" in text(app)


def test_everything_follows_the_dropped_set(open_page: Open, reported: Run) -> None:
    app = open_page("batches")
    app = app.multiselect(key="dropped").set_value([]).run()
    assert metric(app, "Batch variance left") == "100%"
    assert "are read anew when you ask" in text(app)
    app = app.slider(key="drop_count").set_value(4).run()
    assert metric(app, "Components dropped") == "4 of 8"
    assert float(metric(app, "Biology left").strip("%")) > 90


def test_the_dropped_set_is_part_of_the_link(open_page: Open, reported: Run) -> None:
    app = open_page("batches")
    chosen = app.multiselect(key="dropped").value
    again = open_page("batches", drop=",".join(map(str, chosen[:2])))
    assert metric(again, "Components dropped") == "2 of 8"
    assert metric(open_page("batches", drop="none"), "Components dropped") == "0 of 8"
    wrong = open_page("batches", drop="77")
    assert "no component 77" in wrong.warning[0].value
    assert metric(wrong, "Components dropped") == "4 of 8"


def test_a_nested_design_is_refused_on_the_page(open_page: Open, store: RunStore, tmp_path: Path) -> None:
    run = import_screen(store, tmp_path / "files", nested=True)
    report_of_run(run)
    shown = text(open_page("batches"))
    assert "nested" in shown
    assert "Inseparable" in shown


def test_a_set_without_batches_names_those_that_have_some(open_page: Open, compared: RunStore, tmp_path: Path) -> None:
    table = import_screen(compared, tmp_path / "files")
    trained = next(one for one in compared.sets() if one.id != table.set_id)
    app = open_page("batches", set=trained.id)
    assert "Say above which column is the batch" in text(app)
    assert any("has batches" in link.label for link in app.get("page_link"))


def test_a_wrong_control_is_a_sentence(open_page: Open, reported: Run) -> None:
    app = open_page("batches")
    app = app.text_input(key="control").set_value("drug=DMSO").run()
    assert "No row has 'DMSO'" in app.error[0].value
    assert not app.exception


def test_the_overview_says_what_the_report_said_and_leads_there(open_page: Open, reported: Run) -> None:
    app = open_page()
    assert "Independent components set batch apart" in text(app)
    assert any(button.label == "Batches" for button in app.button)

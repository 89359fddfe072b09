"""The Components page: what goes with which factor, a cell to look closer at, and what to do where none is known."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nearid_core as nid
from nearid_core.exchange import Mapping
from nearid_core.exchange.mapping import Features
from nearid_core.factors import report_of_run, settings_of
from nearid_core.factors.of_run import live_components
from nearid_core.results import ResultCache
from nearid_core.results.cache import default_cache
from nearid_core.runs import RunStore
from tests.fabricate import fabricate_runs
from tests.pages.conftest import Open, text

CONFIG = nid.TrainConfig(
    "balanced_scene", "autoencoder", latent_dim=3, epochs=2, stem=8, options={"n": 300, "hidden": (16,)}
)


@pytest.fixture(scope="session")
def _reported_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scored")
    for run in nid.train(CONFIG, "0-1", folder / "store"):
        report_of_run(run, "latent", settings_of(run), cache=ResultCache(folder / "cache"))
    return folder


@pytest.fixture
def reported(store: RunStore, _reported_once: Path) -> RunStore:
    """Two hardly trained runs on images, and their factor reports in the cache."""
    shutil.copytree(_reported_once / "store", store.path)
    shutil.copytree(_reported_once / "cache", default_cache())
    return store


def import_table(store: RunStore, folder: Path, known: dict[str, np.ndarray]) -> nid.Run:
    rng = np.random.default_rng(0)
    values = rng.laplace(size=(200, 3)) @ rng.normal(size=(3, 3))
    table = pd.DataFrame({"id": [f"s{row}" for row in range(200)], **known})
    folder.mkdir(parents=True, exist_ok=True)
    table.join(pd.DataFrame(values, columns=list("xyz"))).to_csv(folder / "table.csv", index=False)
    mapping = Mapping(sample_id=("id",), features=Features(columns=("x", "y", "z")))
    return nid.import_runs(folder / "table.csv", store, mapping=mapping)[0]


def test_an_empty_store_says_what_to_do(open_page: Open) -> None:
    page = open_page("components")
    assert "no finished runs" in text(page)
    assert any(button.label == "Train runs" for button in page.button)


def test_the_verdict_stands_first_with_what_it_rests_on(open_page: Open, reported: RunStore) -> None:
    page = open_page("components")
    said = text(page)
    assert "(in " in said
    assert "runs" in said
    assert "MCC" in said
    assert "random rotations" in said
    assert "unrelated factors" in said
    assert "scores read on" in said
    assert len(page.get("plotly_chart")) == 5  # heatmaps, scatter, traversal, ends, scores


def test_a_link_names_the_cell_and_the_traversal_is_of_it(open_page: Open, reported: RunStore) -> None:
    page = open_page("components", cell="ica:1:scale")
    assert "PCA + ICA component 1 and scale" in text(page)
    assert "Comes back in" in text(page)
    page = open_page("components", cell="ica:99:nothing")
    assert "PCA + ICA component" in text(page)  # what the link names in vain falls back to the best pair


def test_every_measure_and_run_can_be_seen(open_page: Open, reported: RunStore) -> None:
    for measure in ("|Pearson r|", "|Spearman r|"):
        open_page("components", measure=measure, run="seed 1")


def test_without_reports_it_offers_to_make_them(open_page: Open, store: RunStore) -> None:
    fabricate_runs(store, range(2))
    page = open_page("components")
    assert any(button.label == "Hold them against the factors" for button in page.button)


def test_a_label_alone_is_a_factor(open_page: Open, store: RunStore, tmp_path: Path) -> None:
    kind = np.array(["up", "down"])[np.random.default_rng(1).integers(0, 2, 200)]
    run = import_table(store, tmp_path / "files", {"kind": kind})
    report_of_run(run, "embedding", settings_of(run, ["kind"]))
    page = open_page("components", factors="kind")
    said = text(page)
    assert "With one factor InfoM is not defined" in said
    assert "component" in said


def test_with_nothing_known_components_are_shown_for_what_they_are(
    open_page: Open, store: RunStore, tmp_path: Path
) -> None:
    run = import_table(store, tmp_path / "files", {})
    page = open_page("components")
    assert "No factor is known here" in text(page)
    assert any(button.label == "Find the independent components" for button in page.button)
    live_components(run, "embedding")
    page = open_page("components", component="1")
    assert "PCA + ICA component 1" in text(page)
    assert "z: held-out distance from Gaussian" in text(page)


def test_columns_that_cannot_be_factors_are_not_offered(open_page: Open, store: RunStore, tmp_path: Path) -> None:
    unique = np.array([f"name {row}" for row in range(200)])
    import_table(store, tmp_path / "files", {"note": unique, "plate": np.repeat(["p", "q"], 100)})
    page = open_page("components")
    offered = next(one for one in page.multiselect if one.label == "Factors")
    assert offered.options == ["plate"]


def test_a_planted_truth_opens_with_a_click_and_says_what_should_be_seen(open_page: Open, store: RunStore) -> None:
    page = open_page("components")
    assert "where it must fail" in text(page)
    page.button(key="plant_collapse").click().run()
    assert not page.exception
    assert store.get_set("gallery-collapse").done
    run = store.get_set("gallery-collapse").done
    for one in run:
        report_of_run(one, "latent", settings_of(one))
    page = open_page("components", set="gallery-collapse", layer="latent")
    assert "What should be seen" in text(page)


def test_a_server_that_only_shows_does_not_plant(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEARID_READONLY", "1")
    page = open_page("components")
    assert "cannot be changed here" in text(page)
    assert not [button for button in page.button if button.label == "Open"]

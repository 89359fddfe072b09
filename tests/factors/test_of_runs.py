"""Factor reports, traversals and partners of trained runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nearid_core as nid
from nearid_core.components.of_run import cached_components, run_halves
from nearid_core.factors import SeedReports, cached_report, can_traverse, report_of_run, settings_of
from nearid_core.factors.of_run import live_components
from nearid_core.factors.partners import held_out_coordinates, partners
from nearid_core.factors.spaces import coordinates_of
from nearid_core.factors.traversal import along
from nearid_core.results import ResultCache


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> list[nid.Run]:
    config = nid.TrainConfig(
        dataset="nonlinear_mixing",
        family="autoencoder",
        latent_dim=3,
        epochs=150,
        options={"sources": 3, "observed": 6, "n": 2400, "condition": 1.5, "hidden": (64,)},
    )
    return nid.train(config, "0-1", tmp_path_factory.mktemp("factors") / "store")


@pytest.fixture
def cache(tmp_path: Path) -> ResultCache:
    return ResultCache(tmp_path / "cache")


def test_a_trained_autoencoder_and_ica_find_the_sources(trained: list[nid.Run], cache: ResultCache) -> None:
    settings = settings_of(trained[0], scores=("infomec", "mcc"))
    assert settings.factors == ("source_1", "source_2", "source_3")
    reports = SeedReports({run.id: report_of_run(run, "latent", settings, cache=cache) for run in trained})
    summary = reports.summary().query("subset == 'all' and score == 'mcc'").set_index("space")
    assert summary.loc["ica", "value"] > 0.95
    assert summary.loc["random", "high"] < summary.loc["ica", "low"]
    assert reports.verdict.startswith("ICA finds the factors (in 2 of 2 runs). MCC 0.9")
    assert set(reports.table["run"]) == {run.id for run in trained}
    found = cached_report(trained[0], "latent", settings, cache=cache)
    assert found is not None
    assert found.verdict == reports.reports[trained[0].id].verdict


def test_the_components_are_those_that_a_comparison_uses(trained: list[nid.Run], cache: ResultCache) -> None:
    nid.compare(trained, "latent", cache=cache)
    kept = cached_components(trained[0], "latent", cache=cache)
    assert kept is not None
    mine = live_components(trained[0], "latent", cache=cache)
    assert (mine.unmixing == kept.unmixing).all()


def test_samples_without_a_factor_are_left_out_and_counted(trained: list[nid.Run], cache: ResultCache) -> None:
    run = trained[0]
    samples = run.samples.copy()
    samples["kind"] = np.where(samples["source_1"] > 0, "up", "down")
    samples.loc[samples.index[::4], "kind"] = None
    run.__dict__["samples"] = samples
    try:
        report = report_of_run(run, "latent", settings_of(run, ["kind"], scores=("mcc",)), cache=cache)
    finally:
        del run.__dict__["samples"]
    assert "samples have no value of one of the factors" in report.notes[0]


def test_settings_name_what_is_not_there(trained: list[nid.Run]) -> None:
    with pytest.raises(nid.InvalidInput, match="did you mean 'source_1'"):
        settings_of(trained[0], ["source1"])


@pytest.mark.parametrize("space", ["ica", "pca", "random", "raw"])
def test_a_path_moves_one_component_and_stays_within_the_data(trained: list[nid.Run], space: str) -> None:
    run = trained[0]
    at = coordinates_of([space], live_components(run, "latent"), 0)[0]
    start = run.representation("latent").values[7].astype(float)
    values = np.array([-1.0, 0.0, 2.0])
    coordinates = at(along(at, 1, start, values))
    assert coordinates[:, 1] == pytest.approx(values)
    assert coordinates[:, [0, 2]] == pytest.approx(np.repeat(at(start[None])[:, [0, 2]], 3, axis=0), abs=1e-9)


def test_a_traversal_is_decoded_between_the_quantiles_of_the_component(trained: list[nid.Run]) -> None:
    run = trained[0]
    steps = nid.traverse(run, 0, steps=5)
    assert steps.shape == (5, 6)
    seen = held_out_coordinates(run, "latent", "ica")
    spread = np.diff(np.quantile(seen.values[:, 0], [0.025, 0.975]))[0]
    assert spread > 2
    outputs = run.representation("output").values
    assert steps.min() > outputs.min() - 1
    assert steps.max() < outputs.max() + 1
    around = nid.traverse(run, 0, steps=5, around=str(run.samples["sample_id"].iloc[3]))
    assert not np.allclose(steps, around)


def test_what_cannot_be_traversed_is_named(trained: list[nid.Run]) -> None:
    run = trained[0]
    assert can_traverse(run, "latent")
    assert not can_traverse(run, "encoder_1")
    with pytest.raises(nid.InvalidInput, match="no component 3 in space ica; it has 0 to 2"):
        nid.traverse(run, 3)
    with pytest.raises(nid.InvalidInput, match="no sample 'nobody'"):
        nid.traverse(run, 0, around="nobody")
    with pytest.raises(nid.InvalidInput, match="2 or more"):
        nid.traverse(run, 0, steps=1)
    with pytest.raises(nid.InvalidInput, match="There is no space 'icaa'"):
        nid.traverse(run, 0, space="icaa")


def test_the_partner_in_another_run_is_the_component_of_the_same_source(trained: list[nid.Run]) -> None:
    first, second = (held_out_coordinates(run, "latent", "ica") for run in trained)
    halves = run_halves(trained[0])
    assert len(first.values) == halves.heldout.sum()
    sources = trained[0].samples.set_index("sample_id").loc[first.sample_ids, ["source_1", "source_2", "source_3"]]
    for component in range(3):
        partner = partners(first, component, {"other": second})["other"]
        assert partner.component is not None
        assert abs(partner.r) > 0.9
        mine, theirs = (
            int(np.abs(np.corrcoef(sources.T, values)[:3, 3]).argmax())
            for values in (first.values[:, component], second.values[:, partner.component])
        )
        assert mine == theirs


def test_the_ends_are_the_lowest_and_highest_samples(trained: list[nid.Run]) -> None:
    seen = held_out_coordinates(trained[0], "latent", "ica")
    low, high = seen.ends(0, 3)
    by_id = pd.Series(seen.values[:, 0], seen.sample_ids)
    assert by_id[low].max() <= by_id.nsmallest(3).max()
    assert by_id[high].min() >= by_id.nlargest(3).min()
    assert by_id[high].iloc[0] == by_id.max()

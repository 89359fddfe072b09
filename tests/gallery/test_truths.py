"""What every planted truth is there to show is what comes out."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import nearid_core as nid
from nearid_core.cli.program import main
from nearid_core.factors import FactorReport, report_of_run, settings_of
from nearid_core.factors.partners import blocks_between
from nearid_core.gallery import GALLERY, plant, planted_of


def _report(name: str, scores: tuple[str, ...] = ("infomec", "mcc")) -> FactorReport:
    codes, factors = GALLERY[name].make()
    return nid.score_factors(codes[0], factors, scores=scores, permutations=9, halves=9)


def _values(report: FactorReport, score: str) -> dict[str, float]:
    rows = report.summary().query("subset == 'all'")
    return rows[rows["score"] == score].set_index("space")["value"].to_dict()


def _rigid_error(name: str) -> float:
    codes, _ = GALLERY[name].make()
    summary = nid.compare(codes[0], codes[1], groups=("rigid", "linear")).summary()
    return float(summary.query("group == 'rigid' and space == 'component'")["mean"].iloc[0])


def test_independent_non_gaussian_sources_are_found_and_come_back() -> None:
    report = _report("laplace")
    assert report.outcome == "found"
    assert report.n_identified == 5
    assert _rigid_error("laplace") < 0.02


def test_gaussian_sources_agree_across_runs_and_have_no_axes() -> None:
    report = _report("gaussian")
    assert report.outcome == "unidentified"
    assert report.n_identified == 0
    assert _rigid_error("gaussian") < 0.02


def test_a_sphere_has_no_axes_either_though_it_is_not_gaussian() -> None:
    report = _report("sphere")
    assert report.components.diagnostics["z_heldout"].min() > 4
    assert report.n_identified == 0
    assert report.components.blocks["block"].nunique() == 1
    assert _rigid_error("sphere") < 0.02


def test_collapse_is_praised_by_infom_and_by_nothing_else() -> None:
    report = _report("collapse")
    assert _values(report, "infom")["raw"] > 0.9
    assert _values(report, "mcc")["raw"] < 0.4
    assert _values(report, "infoe_heldout")["raw"] < 0.4
    assert report.directions["active"].sum() == 1


def test_any_axis_of_a_simplex_says_the_class() -> None:
    report = _report("simplex")
    mcc = _values(report, "mcc")
    assert mcc["random"] > 0.9
    assert mcc["ica"] - mcc["random"] < 0.1


def test_of_correlated_factors_ica_returns_a_mixture_for_one() -> None:
    report = _report("correlated")
    best = report.association("ica", "pearson").max()
    assert best[["source_1", "source_3", "source_4", "source_5"]].min() > 0.97 or best["source_2"] > 0.97
    matched = report.associations.query("space == 'ica' and pearson_matched").set_index("factor")["pearson"]
    assert matched[["source_1", "source_2"]].min() < 0.9
    assert matched[["source_3", "source_4", "source_5"]].min() > 0.97


def test_planting_twice_is_planting_once(tmp_path: Path) -> None:
    store = nid.RunStore(tmp_path / "store")
    first, second = plant("sphere", store), plant("sphere", store)
    assert first.id == second.id == "gallery-sphere"
    assert [run.seed for run in second.done] == [0, 1, 2]
    assert planted_of(first.id) is GALLERY["sphere"]
    assert planted_of("gallery-nothing") is None
    assert planted_of("sphere") is None
    run = first.done[0]
    assert not run.is_table
    assert settings_of(run).factors == ("x", "y", "z")
    with pytest.raises(nid.InvalidInput, match="did you mean 'sphere'"):
        plant("spere", store)


def test_a_block_without_axes_comes_back_as_a_subspace(tmp_path: Path) -> None:
    runs = plant("gaussian", nid.RunStore(tmp_path / "store")).done
    found = blocks_between(runs[0], runs[1:], "latent")
    assert len(found) == 2
    assert found["identifiable"].all()
    assert found["lowest_r"].min() > 0.99


def test_a_planted_run_goes_through_a_report_of_runs(tmp_path: Path) -> None:
    run = plant("simplex", nid.RunStore(tmp_path / "store")).done[0]
    settings = settings_of(run, scores=("mcc",))
    assert settings.unordered == ("class",)
    assert not np.isnan(_values(report_of_run(run, "latent", settings), "mcc")["ica"])


def test_the_verb_lists_and_plants(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gallery"]) == 0
    assert "statistical without structural" in capsys.readouterr().out
    assert main(["gallery", "collapse", "--store", str(tmp_path / "store"), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["runs"]) == 3
    assert main(["gallery", "colapse", "--store", str(tmp_path / "store")]) == 2
    assert "did you mean 'collapse'" in capsys.readouterr().err

"""`score_factors` on planted truths."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import nearid_core as nid
from nearid_core.factors import FactorReport

N = 1200
QUICK = {"permutations": 9, "halves": 9}


def _mixed(law: str, sources: int = 4, width: int = 6) -> tuple[np.ndarray, pd.DataFrame]:
    rng = np.random.default_rng(0)
    drawn = getattr(rng, law)(size=(N, sources))
    mixing = np.linalg.qr(rng.normal(size=(width, sources)))[0].T
    return drawn @ mixing, pd.DataFrame(drawn, columns=[f"s{i}" for i in range(sources)])


@pytest.mark.parametrize("law", ["laplace", "uniform"])
def test_ica_finds_independent_sources(law: str) -> None:
    report = nid.score_factors(*_mixed(law), **QUICK)
    mcc = report.summary().query("subset == 'all' and score == 'mcc'").set_index("space")["value"]
    assert mcc["ica"] > 0.97
    assert mcc["ica"] > mcc["random"] + 0.1
    assert report.verdict.startswith("ICA finds the factors. ")
    assert "4 active directions for 4 factors; 4 of 4 components identified" in report.verdict


def test_ica_does_not_find_gaussian_sources_and_the_verdict_says_so() -> None:
    report = nid.score_factors(*_mixed("normal"), **QUICK)
    assert report.verdict.startswith("ICA does not find the factors: its own axes are hardly identified")
    assert not report.components.diagnostics["identified"].any()


def test_unrelated_factors_are_no_find() -> None:
    latents, factors = _mixed("laplace")
    shuffled = factors.sample(frac=1, random_state=1).reset_index(drop=True)
    report = nid.score_factors(latents, shuffled, permutations=19, halves=5)
    assert report.verdict.startswith(("No component goes", "ICA does not find the factors. MCC 0.0"))
    mcc = report.table.query("score == 'mcc' and subset == 'all'").set_index("space")
    assert mcc.loc["ica", "value"] < mcc.loc["ica", "null_q95"] + 0.03


def test_dead_directions_are_left_out_before_whitening() -> None:
    latents, factors = _mixed("laplace")
    noisy = latents + 1e-3 * np.random.default_rng(1).normal(size=latents.shape)
    report = nid.score_factors(noisy, factors, **QUICK)
    assert report.directions["active"].tolist() == [True] * 4 + [False] * 2
    assert set(report.table.query("space != 'raw'")["n_latents"]) == {4}
    assert any("4 of 6 directions are active" in note for note in report.notes)


def test_scores_do_not_see_the_rows_that_ica_was_fitted_on() -> None:
    latents, factors = _mixed("laplace")
    out = np.arange(N) % 2 == 0
    first = nid.score_factors(latents, factors, heldout=out, **QUICK)
    changed = factors.copy()
    changed.loc[~out, :] = 0.0  # the factors of the fit half are never looked at
    second = nid.score_factors(latents, changed, heldout=out, **QUICK)
    pd.testing.assert_series_equal(
        first.summary().query("score == 'mcc'")["value"], second.summary().query("score == 'mcc'")["value"]
    )


def test_associations_are_matched_one_to_one_and_a_name_has_no_order() -> None:
    latents, factors = _mixed("laplace")
    kind = np.where(factors["s0"] > 0, "up", "down")
    report = nid.score_factors(latents, factors.assign(kind=kind)[["kind", "s1", "s2", "s3"]], **QUICK)
    ica = report.associations.query("space == 'ica'")
    assert ica.groupby("factor")["pearson_matched"].sum().tolist() == [1] * 4
    assert ica.groupby("component")["pearson_matched"].sum().max() == 1
    found = report.association("ica", "pearson")
    assert found.columns.tolist() == ["kind", "s1", "s2", "s3"]
    # eta of a sign of a Laplace variable: E|x| / sd = 1 / sqrt(2)
    assert found["kind"].max() == pytest.approx(np.sqrt(0.5), abs=0.05)


def test_a_report_survives_the_cache() -> None:
    report = nid.score_factors(*_mixed("laplace"), **QUICK)
    again = FactorReport.from_entry(report.to_entry())
    assert again.verdict == report.verdict
    pd.testing.assert_frame_equal(again.summary(), report.summary())


def test_progress_ends_and_can_stop() -> None:
    seen: list[float] = []
    nid.score_factors(*_mixed("laplace"), **QUICK, on_progress=lambda step: seen.append(step.fraction))
    assert seen == sorted(seen)
    assert seen[-1] == pytest.approx(1.0, abs=0.02)

    def stop(step: nid.Progress) -> None:
        raise nid.errors.Cancelled("enough")

    with pytest.raises(nid.errors.Cancelled):
        nid.score_factors(*_mixed("laplace"), **QUICK, on_progress=stop)


def test_bad_input_is_named() -> None:
    latents, factors = _mixed("laplace")
    with pytest.raises(nid.InvalidInput, match="is constant"):
        nid.score_factors(latents, np.ones((N, 1)))
    with pytest.raises(nid.InvalidInput, match="did you mean 'ica'"):
        nid.score_factors(latents, factors, spaces=("icaa",))
    with pytest.raises(nid.InvalidInput, match="There is no score"):
        nid.score_factors(latents, factors, scores=("accuracy",))
    with pytest.raises(nid.InvalidInput, match="0 spaces"):
        nid.score_factors(latents, factors, spaces=())
    with pytest.raises(nid.InvalidInput, match="Two factors are called s0"):
        nid.score_factors(latents, factors.rename(columns={"s1": "s0"}))
    with pytest.raises(nid.InvalidInput, match=r"heldout has shape \(5,\)"):
        nid.score_factors(latents, factors, heldout=np.ones(5, bool))
    with pytest.raises(nid.InvalidInput, match="fewest"):
        nid.score_factors(latents[:30], factors[:30])


def test_one_score_and_one_space_can_be_named_without_a_list() -> None:
    report = nid.score_factors(*_mixed("laplace"), scores="mcc", spaces="ica", **QUICK)
    assert report.table["score"].tolist() == ["mcc", "mcc_spearman"]

"""What a batch report claims, and when it refuses to."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import nearid_core as nid
from nearid_core.batches.removal import choosing, most_first, removal_curve
from nearid_core.batches.report import BatchReport
from tests.batches.conftest import Planted, planted
from tests.exchange.conftest import DATA

FEW = ((8, 6), "laplace", 0.3, "gaussian")
MANY = ((200, 200), "laplace", 1.5, "laplace")
GAUSSIAN = ((200, 200), "gaussian", 1.5, "gaussian")
ROTATIONS = ("pca", "pca_ica", "pca_random")


def report_of(data: Planted, **settings: object) -> BatchReport:
    roles = {"batch": "batch", "label": "label", "spaces": ROTATIONS, "classify": False}
    return nid.batch_report(data.values, data.samples, **{**roles, **settings})


def left_at_half(report: BatchReport, space: str) -> tuple[float, float]:
    """Batch left and biology left with half of the components dropped, mean over draws."""
    rows = report.removal_curves.query("space == @space and dropped == 4")
    return rows["batch_left"].mean(), rows["bio_left"].mean()


def oracle_at_half(data: Planted, heldout: np.ndarray) -> tuple[float, float]:
    batch, label = (pd.factorize(data.samples[name])[0] for name in ("batch", "label"))
    order = most_first(choosing(data.truth[~heldout], batch[~heldout], None).eta2)
    row = removal_curve(data.truth[heldout], batch[heldout], label[heldout], order).iloc[4]
    return row["batch_left"], row["bio_left"]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("law", [FEW, MANY], ids=["few", "many"])
def test_ica_drops_batch_as_the_truth_would_and_a_random_rotation_does_not(law: tuple, seed: int) -> None:
    data = planted(*law, seed)
    report = report_of(data)
    oracle = oracle_at_half(data, report.heldout)
    assert left_at_half(report, "pca_ica") == pytest.approx(oracle, abs=0.03)
    assert 0.25 <= left_at_half(report, "pca_random")[0] <= 0.45
    assert report.verdict.startswith("Independent components set batch apart")


@pytest.mark.parametrize("seed", range(3))
def test_many_gaussian_offsets_are_not_separated_and_no_separation_is_claimed(seed: int) -> None:
    data = planted(*GAUSSIAN, seed)
    report = report_of(data)
    batch_left, _ = left_at_half(report, "pca_ica")
    assert batch_left > oracle_at_half(data, report.heldout)[0] + 0.08
    assert report.verdict.startswith("No separation by ICA is claimed")
    assert "0 are identified" in report.verdict
    assert "close to Gaussian" in report.verdict


def test_few_gaussian_offsets_are_atoms_and_are_separated() -> None:
    report = report_of(planted((8, 6), "gaussian", 0.3, "gaussian", 0))
    assert report.verdict.startswith("Independent components set batch apart")


def test_labels_that_stay_in_their_batch_are_inseparable_and_nothing_is_claimed() -> None:
    data = planted(*FEW, 0)
    nested = data.samples.assign(label=data.samples["batch"] + "-" + data.samples["label"])
    report = report_of(Planted(data.truth, data.values, nested))
    assert report.design.kind == "nested"
    assert report.verdict.startswith("Inseparable: the design is nested")


def test_the_correction_takes_the_batch_out_of_rows_it_has_not_seen() -> None:
    data = planted(*FEW, 1)
    seen = data.samples.index < 3000
    first = Planted(data.truth[seen], data.values[seen], data.samples[seen])
    correction = report_of(first).correction()
    cleaned = correction.transform(data.values[~seen])
    batch, label = (pd.factorize(data.samples[name][~seen])[0] for name in ("batch", "label"))
    from nearid_core.batches.variance import one_way

    assert one_way(data.values[~seen], batch).eta2.mean() > 0.3
    assert one_way(cleaned, batch).eta2.mean() < 0.03
    assert one_way(cleaned, label).eta2.mean() > 0.7


def test_dropping_nothing_gives_the_table_back_and_keeping_the_rest_keeps_it() -> None:
    data = planted(*FEW, 2, n=800)
    report = report_of(data, n_components=5)
    whole = report.correction([], keep_rest=True).transform(data.values)
    np.testing.assert_allclose(whole, data.values, atol=1e-10)
    projected = report.correction([]).transform(data.values)
    assert np.linalg.matrix_rank(projected - projected.mean(axis=0), tol=1e-8) == 5


def test_an_exported_table_is_reopened_with_its_names_and_metadata(tmp_path) -> None:
    data = planted(*FEW, 0, n=600)
    named = pd.DataFrame(data.values, columns=[f"Cells_{number}" for number in range(8)])
    report = nid.batch_report(named, data.samples, batch="batch", label="label", spaces=ROTATIONS, classify=False)
    read = pd.read_parquet(report.export(tmp_path / "cleaned.parquet"))
    assert list(read) == [*data.samples, *named]
    np.testing.assert_allclose(read[list(named)], report.correction().transform(data.values))


def test_a_report_from_the_cache_is_the_report(tmp_path) -> None:
    from nearid_core.results import ResultCache

    report = report_of(planted(*FEW, 0, n=600), classify=True)
    cache = ResultCache(tmp_path)
    cache.save("batches", "key", report.to_entry())
    again = BatchReport.from_entry(cache.load("batches", "key"))
    assert again.verdict == report.verdict
    assert again.notes == report.notes
    assert again.design.sentence == report.design.sentence
    pd.testing.assert_frame_equal(again.removal_curves, report.removal_curves)
    pd.testing.assert_frame_equal(again.cross_batch_labels, report.cross_batch_labels)
    pd.testing.assert_frame_equal(again.mixing_table, report.mixing_table)


def test_l2_decides_the_same_in_every_rotation_of_pca() -> None:
    """Learned anew in each space at a tight tolerance, not carried over as the report does."""
    from nearid_core.batches.classifier import learn
    from nearid_core.batches.fit_rows import FitRows
    from nearid_core.batches.spaces import fit_spaces

    data = planted(*FEW, 0, n=600)
    codes = pd.factorize(data.samples["batch"])[0]
    rows = FitRows(data.values, codes, None, np.arange(400))
    classes = (data.samples["label"] == "0").to_numpy()
    decisions = []
    for space in fit_spaces(ROTATIONS, rows):
        coordinates = space.at(np.arange(600))
        learned = learn(coordinates[:400], classes[:400], "l2", tol=1e-12)
        decisions.append(coordinates[400:] @ learned.weights + learned.intercept)
    assert len(decisions) == 7
    np.testing.assert_allclose(decisions, np.tile(decisions[0], (7, 1)), atol=1e-6)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"batch": "plate"}, "no column for batch 'plate'"),
        ({"label": "drug"}, "no column for label 'drug'"),
        ({"control": "DMSO"}, "No row of label is 'DMSO'"),
        ({"control": "label=DMSO"}, "No row has 'DMSO' in column label"),
        ({"spaces": ("ica",)}, "no space 'ica'"),
        ({"spaces": ()}, "expected one space or more"),
        ({"n_components": 0}, "a whole number from 1"),
        ({"level": "plate"}, "no level 'plate'"),
        ({"label": "same"}, "has one value, 'x'"),
        ({"label": "empty"}, "is empty in all 300 rows"),
        ({"drop": (99,)}, "no component 99"),
        ({"drop": tuple(range(8))}, "All 8 components would be dropped"),
    ],
)
def test_a_wrong_argument_is_a_sentence(change: dict, sentence: str) -> None:
    data = planted(*FEW, 0, n=300)
    arguments = {"batch": "batch", "label": "label", "spaces": ROTATIONS, **change}
    with pytest.raises(nid.InvalidInput, match=sentence):
        nid.batch_report(data.values, data.samples.assign(same="x", empty=None), **arguments)


def test_one_batch_and_a_nan_are_refused() -> None:
    data = planted(*FEW, 0, n=300)
    with pytest.raises(nid.InvalidInput, match="has one value"):
        nid.batch_report(data.values, data.samples.assign(batch="a"), batch="batch")
    values = data.values.copy()
    values[3, 2] = np.nan
    with pytest.raises(nid.InvalidInput, match="occurs more than once"):
        nid.batch_report(data.values, data.samples.assign(sample_id="a"), batch="batch")
    with pytest.raises(nid.InvalidInput, match="expected numbers of components"):
        report_of(data).correction(["a"])
    with pytest.raises(nid.InvalidInput, match="row 3, column 2"):
        nid.batch_report(values, data.samples, batch="batch")


def test_a_table_without_labels_says_what_is_batch_and_claims_no_more() -> None:
    report = nid.batch_report(planted(*FEW, 0, n=600).values, planted(*FEW, 0, n=600).samples, batch="batch")
    assert "no labels" in report.verdict
    assert report.cross_batch.empty
    assert len(report.drop) == 4


@pytest.fixture(scope="module")
def jump() -> tuple[pd.DataFrame, pd.DataFrame]:
    path = DATA / "jump_scope_moa" / "merged_10batches.parquet"
    if not path.exists():
        pytest.skip(f"the tables of {DATA} are not on this machine")
    table = pd.read_parquet(path)
    values = table[[name for name in table if not name.startswith("Metadata_")]].fillna(0).clip(-10, 10)
    japan = table["Metadata_batch"].str.startswith("J")
    return values, table.assign(unit=table["Metadata_physical_plate"].where(~japan, "Japan"))


def test_leaving_out_whole_units_is_harder_and_wells_are_inseparable_on_jump(jump: tuple) -> None:
    values, samples = jump
    roles = {
        "batch": "Metadata_batch",
        "label": "Metadata_pert_iname",
        "control": "Metadata_control_type=negcon",
        "position": "Metadata_Well",
        "spaces": ("base",),
        "drop": (),
    }
    careless = nid.batch_report(values, samples, **roles)
    strict = nid.batch_report(values, samples, **roles, group="unit")
    base = [report.cross_batch.set_index(["space", "penalty"])["auroc"]["base", "l2"] for report in (careless, strict)]
    assert base[1] < base[0] - 0.03
    assert strict.design.n_units == 5
    assert any("inseparable from that of its wells" in note for note in strict.notes)
    assert any("Split by unit" in note for note in strict.notes)


def test_raw_bbbc021_shows_its_weeks() -> None:
    path = DATA / "bbbc021_ljosa" / "ljosa_jbiomolscreen_2013_per_well_mean.csv.gz"
    if not path.exists():
        pytest.skip(f"the tables of {DATA} are not on this machine")
    from nearid_core.batches.variance import one_way

    table = pd.read_csv(path)
    week = pd.factorize(table["Image_Metadata_Plate"].str.extract(r"^(Week\d+)_")[0])[0]
    values = table.filter(regex="^(Cells|Cytoplasm|Nuclei)_").to_numpy()
    eta2 = one_way(values, week).eta2
    assert eta2.mean() == pytest.approx(0.21, abs=0.01)
    assert eta2.max() == pytest.approx(0.82, abs=0.01)


def test_two_units_give_an_area_without_an_interval() -> None:
    data = planted(*FEW, 0, n=400)
    donors = data.samples.assign(donor=np.repeat(["p", "q"], 200))
    report = report_of(Planted(data.truth, data.values, donors), group="donor")
    assert report.summary.query("space != 'kept'")["area"].notna().all()
    assert report.advantages["low"].isna().all()
    assert report.verdict.startswith("Inseparable")  # either donor links all batches: none can be left out


def test_no_claim_is_made_without_an_interval() -> None:
    from nearid_core.batches.verdict import verdict

    report = report_of(planted(*FEW, 0, n=400))
    without = report.advantages.assign(low=np.nan)
    assert verdict(report.design, report.summary, report.advantages, report.table).startswith("Independent")
    assert verdict(report.design, report.summary, without, report.table).startswith("No separation by ICA is claimed")


def test_retrieval_is_read_for_labels_and_for_what_they_have_in_common() -> None:
    data = planted(*FEW, 0, n=600)
    named = data.samples.assign(mechanism=(data.samples["label"].astype(int) // 2).astype(str))
    report = report_of(Planted(data.truth, data.values, named), mechanism="mechanism")
    kinds = report.retrieval_summary.set_index(["space", "kind"])
    assert kinds.loc[("pca", "replicate"), "map"] > kinds.loc[("pca", "replicate"), "null_map"] + 0.1
    assert kinds.loc[("pca", "mechanism"), "n_labels"] == 3

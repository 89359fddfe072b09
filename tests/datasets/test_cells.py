"""A screen whose truth is known: what was asked for is what stands on the plates and in the factors."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nearid_core as nid
from nearid_core.datasets import Dataset
from nearid_core.datasets._cells_design import CONTROL, EDGE, POSITIONS, plate_wells
from nearid_core.datasets._cells_factors import BIOLOGICAL, FACTORS, LIMIT, TECHNICAL, batch_offsets, effects
from nearid_core.datasets.nonlinear_mixing import LAWS
from nearid_core.exchange.mapping import Control, Mapping
from nearid_core.training.record import describe_dataset

LAYOUT: dict[str, object] = {"batches": 4, "perturbations": 10, "replicates": 8}


@pytest.fixture(scope="module")
def screen() -> Dataset:
    return nid.load_dataset("cells", n=3000, batches=4)


def wells(**changes: object) -> pd.DataFrame:
    return plate_wells(np.random.default_rng(0), **{**LAYOUT, "layout": "random", "design": "crossed", **changes})


def between_batches(samples: pd.DataFrame, names: tuple[str, ...]) -> np.ndarray:
    """Share of each column's variance that lies between batches."""
    values = samples[list(names)].astype(float)
    means = values.groupby(samples["batch"]).transform("mean")
    return (means.var(ddof=0) / values.var(ddof=0)).to_numpy()


def test_a_screen_says_what_is_known_of_each_cell(screen: Dataset) -> None:
    assert screen.images is not None
    assert screen.images.shape == (3000, 3, 32, 32)
    assert screen.features.dtype == np.float32
    assert 0 <= screen.features.min() < screen.features.max() <= 1
    known = ["sample_id", "split", "batch", "well", "perturbation", "replicate", "plate_well", *FACTORS]
    assert list(screen.samples.columns) == known
    assert screen.samples["sample_id"].is_unique
    assert (screen.label, screen.factor_names) == ("perturbation", FACTORS)
    assert "3,000 samples of 3x32x32" in screen.describe()


def test_roles_are_those_that_an_import_of_the_same_table_would_record(screen: Dataset) -> None:
    control = Control("perturbation", CONTROL)
    mapping = Mapping(
        batch="batch",
        label=screen.label,
        group="plate_well",
        position="well",
        replicate="replicate",
        level="cell",
        controls=(control,),
    )
    imported = {**mapping.roles, "level": "cell", "control": str(control), "controls": [vars(control)]}
    assert {"label": screen.label, **screen.roles} == {k: v for k, v in imported.items() if v is not None}


def test_a_trained_run_records_the_roles_and_one_without_any_is_recorded_as_before(screen: Dataset) -> None:
    plain = ["name", "digest", "label", "factors", "image_shape", "n_features", "n", "options"]
    assert list(describe_dataset(nid.load_dataset("digits", n=40))) == plain
    recorded = describe_dataset(screen)
    assert {key: recorded[key] for key in recorded if key not in plain} == screen.roles
    assert json.loads(json.dumps(recorded)) == recorded | {"factors": list(FACTORS)}


@pytest.mark.parametrize("layout", ["random", "fixed"])
def test_every_plate_has_ninety_six_wells_and_its_controls(layout: str) -> None:
    for _, plate in wells(layout=layout).groupby("batch"):
        assert sorted(plate["well"]) == sorted(POSITIONS)
        counts = plate["perturbation"].value_counts()
        assert counts.pop(CONTROL) == 96 - 10 * 8
        assert set(counts) == {8}
        assert sorted(plate.loc[plate["perturbation"] == "compound_03", "replicate"]) == list(range(1, 9))


def test_a_fixed_layout_confounds_well_and_label_and_a_random_one_does_not() -> None:
    def labels_a_well(layout: str) -> pd.Series:
        return wells(layout=layout).groupby("well")["perturbation"].nunique()

    assert labels_a_well("fixed").eq(1).all()
    assert labels_a_well("random").mean() > 2.5
    fixed = wells(layout="fixed")
    assert set(fixed.loc[fixed["perturbation"] == CONTROL, "well"].str[1:]) == {"01", "12"}


def test_a_crossed_design_has_each_label_on_every_plate_and_a_nested_one_on_a_single_one() -> None:
    def plates_a_label(design: str) -> pd.Series:
        return wells(design=design).groupby("perturbation")["batch"].nunique()

    assert plates_a_label("crossed").eq(4).all()
    nested = plates_a_label("nested")
    assert nested.pop(CONTROL) == 4
    assert nested.eq(1).all()
    assert len(nested) == 10


@settings(max_examples=40, deadline=None)
@given(
    batches=st.integers(1, 12),
    perturbations=st.integers(1, 20),
    replicates=st.integers(1, 8),
    layout=st.sampled_from(["random", "fixed"]),
    design=st.sampled_from(["crossed", "nested"]),
)
def test_whatever_is_asked_for_every_plate_is_full_and_no_label_is_lost(
    batches: int, perturbations: int, replicates: int, layout: str, design: str
) -> None:
    asked = {"batches": batches, "perturbations": perturbations, "replicates": replicates}
    if perturbations * replicates >= 96:
        with pytest.raises(nid.InvalidInput, match="leaves none for DMSO"):
            wells(**asked, layout=layout, design=design)
        return
    table = wells(**asked, layout=layout, design=design)
    assert len(table) == 96 * batches
    assert not table.duplicated(["batch", "well"]).any()
    assert not table.duplicated(["batch", "perturbation", "replicate"]).any()
    controls = table["perturbation"].eq(CONTROL).groupby(table["batch"]).sum()
    assert controls.eq(96 - perturbations * replicates).all()
    assert table["perturbation"].nunique() == perturbations + 1
    if design == "nested" and perturbations >= batches:
        treated = table[table["perturbation"] != CONTROL]
        assert treated.groupby("perturbation")["batch"].nunique().eq(1).all()


def test_no_room_for_controls_is_one_sentence_that_says_what_fits() -> None:
    with pytest.raises(nid.InvalidInput, match=r"takes 160 of the 96 wells .* set replicates to 4 or less"):
        nid.load_dataset("cells", perturbations=20)
    nid.load_dataset("cells", n=20, perturbations=20, replicates=4)


@pytest.mark.parametrize(("option", "value"), [("layout", "fix"), ("design", "nest"), ("law", "laplacian")])
def test_a_choice_that_is_none_names_the_nearest(option: str, value: str) -> None:
    with pytest.raises(nid.InvalidInput, match="did you mean"):
        nid.load_dataset("cells", **{option: value})


def test_the_first_cells_are_the_same_however_many_there_are() -> None:
    few, more = nid.load_dataset("cells", n=100, batches=2), nid.load_dataset("cells", n=700, batches=2)
    np.testing.assert_array_equal(few.features, more.features[:100])
    told = [name for name in few.samples if name != "split"]  # exactly 45% of the wells there are
    pd.testing.assert_frame_equal(few.samples[told], more.samples[told][:100])


def test_the_same_seed_draws_the_same_screen_and_another_does_not() -> None:
    first, again, other = (nid.load_dataset("cells", n=60, seed=seed) for seed in (3, 3, 4))
    assert first.digest == again.digest
    assert first.digest != other.digest


def test_cells_are_dealt_out_evenly_and_a_well_is_held_back_whole(screen: Dataset) -> None:
    samples = screen.samples
    a_well = samples["plate_well"].value_counts()
    assert len(a_well) == 4 * 96
    assert a_well.max() - a_well.min() <= 1
    assert samples.groupby("plate_well")["split"].nunique().eq(1).all()
    held_back = samples.drop_duplicates("plate_well")["split"].eq("test")
    assert held_back.sum() == round(0.45 * 4 * 96)


def test_batches_differ_in_technique_and_not_in_the_biology_of_their_controls(screen: Dataset) -> None:
    controls = screen.samples[screen.samples["perturbation"] == CONTROL]
    assert (between_batches(controls, TECHNICAL) > 0.5).all()
    assert (between_batches(controls, BIOLOGICAL) < 0.05).all()


def test_without_batch_strength_batches_are_alike_and_without_bio_strength_labels_are() -> None:
    alike = nid.load_dataset("cells", n=3000, batches=4, batch_strength=0, bio_strength=0).samples
    assert (between_batches(alike, TECHNICAL) < 0.05).all()
    by_label = between_batches(alike.assign(batch=alike["perturbation"]), BIOLOGICAL)
    assert (by_label < 0.05).all()


def test_a_perturbation_shifts_its_two_factors_by_what_the_truth_says() -> None:
    samples = nid.load_dataset("cells", n=6000, batches=2, batch_strength=0).samples
    found = samples.groupby("perturbation")[list(BIOLOGICAL)].mean()
    _, means_rng, _ = np.random.default_rng(0).spawn(3)
    truth = effects(means_rng, 10)
    assert ((truth != 0).sum(axis=1) == [2] * 10 + [0]).all()
    assert (truth != 0).any().all(), "every factor is shifted by one"
    np.testing.assert_allclose(found.loc[truth.index], truth, atol=0.3)


def test_wells_at_the_edge_are_dimmer_on_every_plate() -> None:
    samples = nid.load_dataset("cells", n=3000, batches=2, batch_strength=0).samples
    at_edge = samples["well"].isin(EDGE)
    means = samples.groupby(["batch", at_edge])["tech_gain"].mean().unstack()  # noqa: PD010
    np.testing.assert_allclose(means[True] - means[False], -0.5, atol=0.15)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("batches", [2, 7])
def test_offsets_of_batches_have_mean_zero_and_variance_one(law: str, batches: int) -> None:
    names = [str(number) for number in range(batches)]
    offsets = batch_offsets(np.random.default_rng(0), names, LAWS[law])
    np.testing.assert_allclose(offsets.mean(), 0, atol=1e-12)
    np.testing.assert_allclose(offsets.std(ddof=0), 1)


def test_one_batch_alone_has_no_offsets() -> None:
    assert (batch_offsets(np.random.default_rng(0), ["only"], LAWS["gaussian"]) == 0).all(axis=None)


def test_factors_stay_within_what_can_be_rendered() -> None:
    extreme = nid.load_dataset("cells", n=200, batch_strength=3, bio_strength=3)
    assert np.abs(extreme.samples[list(FACTORS)]).max(axis=None) == LIMIT
    assert np.isfinite(extreme.features).all()

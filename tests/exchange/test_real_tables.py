"""The tables people have: each comes in with a mapping kept here, and nothing in a file is edited."""

from __future__ import annotations

import numpy as np
import pytest

import nearid_core as nid
from nearid_core.exchange import preview
from nearid_core.runs import RunStore
from tests.exchange.conftest import REAL, real


@pytest.mark.parametrize("name", REAL)
def test_a_real_table_comes_in_with_its_mapping_and_a_second_time_is_noticed(name: str, store: RunStore) -> None:
    paths, mapping = real(name)
    runs = nid.import_runs(paths, store, mapping=mapping)
    assert [run.id for run in store.runs()] == [run.id for run in runs]
    assert all(run.status == "done" and run.config is None and "split" not in run.samples for run in runs)
    assert next(iter(runs[0].samples)) == "sample_id"
    with pytest.raises(nid.InvalidInput, match="imported before"):
        nid.import_runs(paths, store, mapping=mapping)


def test_bbbc021_keeps_632_wells_of_10_weeks_through_two_joins(store: RunStore) -> None:
    paths, mapping = real("bbbc021_ljosa")
    first, second = preview(paths, mapping).joins
    assert (first.rows_before, first.rows_naive, first.matched) == (632, 2528, 632)
    assert "Image_FileName_DAPI" in first.dropped
    assert (second.rows_naive, second.unmatched) == (632, 0)
    (run,) = nid.import_runs(paths, store, mapping=mapping)
    assert run.representation("embedding").values.shape == (632, 516)
    assert run.samples["week"].nunique() == 10
    assert (run.samples["Image_Metadata_Compound"] == "DMSO").sum() == 330
    assert run.samples["moa"].notna().all()
    assert run.dataset["batch"] == "week"
    assert run.dataset["control"] == "Image_Metadata_Compound=DMSO"
    assert run.record["kind"] == "table"
    assert run.is_table
    assert run.feature_names("embedding")[0] == "Cells_AreaShape_Area"


def test_bbbc021_before_and_after_normalisation_are_the_same_wells(store: RunStore) -> None:
    raw, normalised = (
        nid.import_runs(paths, store, mapping=m)[0] for paths, m in map(real, ("bbbc021_ljosa", "bbbc021_morpheus"))
    )
    assert raw.dataset["digest"] == normalised.dataset["digest"]


def test_jump_takes_the_japan_plates_as_one_unit_and_leaves_rows_with_nan_out(store: RunStore) -> None:
    paths, mapping = real("jump_scope")
    found = {problem.kind: problem for problem in preview(paths, mapping).problems}
    assert (found["nan"].count, found["nan"].columns) == (20, ("Nuclei_Neighbors_AngleBetweenNeighbors_2",))
    (run,) = nid.import_runs(paths, store, mapping=mapping)
    assert run.representation("embedding").values.dtype == np.float32
    assert run.representation("embedding").values.shape == (3803, 157)
    assert run.dataset["group"] == "physical_unit"
    units = run.samples.groupby("Metadata_batch")["physical_unit"].unique().map(list)
    assert {batch for batch, unit in units.items() if unit == ["Japan"]} == {"J20a", "J20b", "J20c", "J20d", "J40"}
    assert units["U20_059"] == units["U40_059"] == ["P059"]


def test_pbmc_is_two_runs_of_one_set_without_a_label(store: RunStore) -> None:
    paths, mapping = real("pbmc_harmony")
    runs = nid.import_runs(paths, store, mapping=mapping)
    assert [run.record["source"]["run"] for run in runs] == ["pcs", "pcs_harmonized"]
    assert len({run.set_id for run in runs}) == 1
    assert [(run.label, run.seed, run.layers, run.is_table) for run in runs] == [(None, None, ["pcs"], False)] * 2
    assert runs[0].samples["donor"].value_counts().to_dict() == {"B": 2000, "C": 1000, "A": 500}
    few = nid.import_runs(paths, store, mapping=mapping, columns=[f"PC{j}" for j in range(1, 7)])  # soon done
    comparison = nid.compare(few, groups=("identity", "rigid"))
    errors = comparison.summary().set_index(["space", "group"])["mean"]
    assert errors["latent", "rigid"] < errors["latent", "identity"] < 0.2


@pytest.mark.parametrize("name", REAL)
def test_what_is_guessed_of_a_real_table_is_right(name: str) -> None:
    paths, mapping = real(name)
    folder = [path for path in paths[0].parent.iterdir() if path.is_file()]
    guessed = preview(sorted(folder)).mapping
    assert set(guessed.sample_id) == set(mapping.sample_id)
    assert guessed.controls == mapping.controls
    assert guessed.position == mapping.position
    assert [(step.left, step.right) for step in guessed.joins] == [(step.left, step.right) for step in mapping.joins]

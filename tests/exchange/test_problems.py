"""What is wrong is counted before anything is written, and the user's choice is what happens."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nearid_core as nid
from nearid_core.exchange import Derive, Features, Mapping, Problem, Recode, preview
from nearid_core.runs import RunStore

WELLS = Mapping(sample_id=("Metadata_Plate", "Metadata_Well"))


def _found(frame: pd.DataFrame, tmp_path: Path, mapping: Mapping = WELLS) -> dict[str, Problem]:
    return {problem.kind: problem for problem in preview(_saved(frame, tmp_path), mapping).problems}


def _saved(frame: pd.DataFrame, tmp_path: Path) -> Path:
    path = tmp_path / "t.parquet"
    frame.to_parquet(path, index=False)
    return path


@pytest.fixture
def holed(table: pd.DataFrame) -> pd.DataFrame:
    """NaN in two cells of one row and one of another; infinity in one more."""
    table.loc[3, ["Cells_0", "Cells_1"]] = np.nan
    table.loc[7, "Cells_1"] = np.nan
    table.loc[9, "Cells_4"] = np.inf
    return table


def test_a_clean_table_has_no_problem(table: pd.DataFrame, tmp_path: Path) -> None:
    assert _found(table, tmp_path) == {}


def test_nan_and_infinite_cells_are_counted_and_stop(holed: pd.DataFrame, tmp_path: Path, store: RunStore) -> None:
    found = _found(holed, tmp_path)
    assert (found["nan"].count, found["nan"].columns) == (3, ("Cells_0", "Cells_1"))
    assert "in 2 of 40 rows and 2 of 5 columns" in found["nan"].message
    assert (found["infinite"].count, found["infinite"].columns) == (1, ("Cells_4",))
    with pytest.raises(nid.InvalidInput, match=r"Nothing was imported.*drop rows, drop columns, keep"):
        nid.import_runs(tmp_path / "t.parquet", store, mapping=WELLS)
    assert store.runs() == []
    assert not store.path.exists()


@pytest.mark.parametrize(
    ("choices", "shape"),
    [
        ({"nan": "drop rows", "infinite": "drop rows"}, (37, 5)),
        ({"nan": "drop columns", "infinite": "drop columns"}, (40, 2)),
        ({"nan": "drop rows", "infinite": "keep"}, (38, 5)),
    ],
)
def test_the_choice_is_what_happens(
    choices: dict[str, str], shape: tuple[int, int], holed: pd.DataFrame, tmp_path: Path, store: RunStore
) -> None:
    (run,) = nid.import_runs(_saved(holed, tmp_path), store, mapping=WELLS, choices=choices)
    assert run.representation("embedding").values.shape == shape
    assert len(run.samples) == shape[0]
    kept = holed.iloc[[i for i in range(40) if shape[0] == 40 or i not in ((3, 7, 9) if shape[0] == 37 else (3, 7))]]
    expected = kept[run.feature_names("embedding")].to_numpy()
    np.testing.assert_array_equal(run.representation("embedding").values, expected)


def test_constant_and_nearly_constant_columns_are_said_and_kept_unless_dropped(
    table: pd.DataFrame, tmp_path: Path, store: RunStore
) -> None:
    table["Cells_0"] = np.float32(2.5)
    table["Cells_1"] = np.where(np.arange(40) == 5, 900.0, np.linspace(0, 0.1, 40)).astype(np.float32)
    found = _found(table, tmp_path)
    assert (found["constant"].columns, found["constant"].action) == (("Cells_0",), "keep")
    assert found["near_constant"].columns == ("Cells_1",)
    choices = {"constant": "drop columns", "near_constant": "drop columns"}
    (run,) = nid.import_runs(tmp_path / "t.parquet", store, mapping=WELLS, choices=choices)
    assert run.feature_names("embedding") == ["Cells_2", "Cells_3", "Cells_4"]


def test_a_sparse_column_is_not_a_constant_one(table: pd.DataFrame, tmp_path: Path) -> None:
    table["Cells_1"] = np.where(np.arange(40) % 5 == 0, table["Cells_1"], 0)
    assert "near_constant" not in _found(table, tmp_path)


def test_a_category_among_the_features_stops_and_can_become_metadata(
    table: pd.DataFrame, tmp_path: Path, store: RunStore
) -> None:
    table["passage"] = np.tile([1, 2, 3, 4], 10)
    found = _found(table, tmp_path)
    assert (found["integer_coded"].columns, found["integer_coded"].stops) == (("passage",), True)
    (run,) = nid.import_runs(tmp_path / "t.parquet", store, mapping=WELLS, choices={"integer_coded": "metadata"})
    assert "passage" not in run.feature_names("embedding")
    assert run.samples["passage"].tolist() == table["passage"].tolist()


def test_counts_are_not_categories(table: pd.DataFrame, tmp_path: Path) -> None:
    table[[f"Cells_{j}" for j in range(5)]] = np.random.default_rng(0).poisson(3, (40, 5))
    assert "integer_coded" not in _found(table, tmp_path)


def test_duplicate_and_missing_ids_are_counted(table: pd.DataFrame, tmp_path: Path, store: RunStore) -> None:
    table.loc[1, "Metadata_Well"] = "A01"
    table.loc[2, "Metadata_Well"] = None
    found = _found(table, tmp_path)
    assert (found["duplicate_ids"].count, found["missing_ids"].count) == (1, 1)
    assert "'Week1_a_A01'" in found["duplicate_ids"].message
    choices = {"duplicate_ids": "drop rows", "missing_ids": "drop rows"}
    (run,) = nid.import_runs(tmp_path / "t.parquet", store, mapping=WELLS, choices=choices)
    assert run.samples["sample_id"].tolist()[:2] == ["Week1_a_A01", "Week1_a_A04"]
    assert len(run.samples) == 38


def test_derived_and_merged_values_that_are_not_there_are_counted(table: pd.DataFrame, tmp_path: Path) -> None:
    table.loc[0, "Metadata_Plate"] = "Pilot"
    derive = (Derive("week", "Metadata_Plate", r"(Week\d)_"),)
    recode = (Recode("Metadata_Compound", {"other": ("taxol", "PP-2")}),)
    found = _found(table, tmp_path, replace(WELLS, derive=derive, recode=recode))
    assert (found["derive_unmatched"].count, found["recode_unknown"].count) == (1, 1)
    assert "'Pilot'" in found["derive_unmatched"].message


def test_numbers_and_text_in_one_column_name_the_row(table: pd.DataFrame, tmp_path: Path) -> None:
    text = table.astype({"Cells_2": str})
    text.loc[4, "Cells_2"] = "n/d"
    mixed = _found(text, tmp_path, replace(WELLS, features=Features(prefix=("Cells_",))))["mixed_types"]
    assert (mixed.count, mixed.columns) == (1, ("Cells_2",))
    assert "'n/d' in row 5" in mixed.message


def test_an_unknown_choice_is_refused_with_those_there_are(
    table: pd.DataFrame, tmp_path: Path, store: RunStore
) -> None:
    with pytest.raises(nid.InvalidInput, match="known: stop, drop rows, drop columns, keep"):
        nid.import_runs(_saved(table, tmp_path), store, mapping=WELLS, choices={"nan": "zero"})


def test_a_column_that_is_not_there_is_named_with_the_nearest(table: pd.DataFrame, tmp_path: Path) -> None:
    with pytest.raises(nid.InvalidInput, match="did you mean"):
        preview(_saved(table, tmp_path), replace(WELLS, batch="metadata_plate"))


def test_a_reserved_name_of_the_users_is_kept_beside_ours(table: pd.DataFrame, tmp_path: Path, store: RunStore) -> None:
    table["split"] = "test"
    (run,) = nid.import_runs(_saved(table, tmp_path), store, mapping=WELLS)
    assert "split" not in run.samples
    assert (run.samples["split (original)"] == "test").all()

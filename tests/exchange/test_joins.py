"""A join never makes rows, and says what a plain one would have done."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

import nearid_core as nid
from nearid_core.exchange import Join, Mapping, preview
from nearid_core.exchange.keys import key_text
from nearid_core.runs import RunStore

WELLS = Mapping(sample_id=("Metadata_Plate", "Metadata_Well"))
KEYS = (("Metadata_Plate", "Metadata_Well"), ("plate", "well"))


@pytest.fixture
def wells(table: pd.DataFrame, tmp_path: Path) -> pd.DataFrame:
    """Two images a well, with a dose that both share."""
    table.to_csv(tmp_path / "t.csv", index=False)
    side = table[["Metadata_Plate", "Metadata_Well"]].set_axis(["plate", "well"], axis=1)
    side = side.assign(dose=range(40)).loc[side.index.repeat(2)]
    return side.assign(image=range(80)).reset_index(drop=True)


def _preview(side: pd.DataFrame, tmp_path: Path, step: Join, **choices: str) -> nid.exchange.Preview:
    side.to_csv(tmp_path / step.file, index=False)
    return preview(tmp_path / "t.csv", replace(WELLS, joins=(step,), choices=choices))


def test_a_join_that_would_make_rows_stops_and_is_shown(wells: pd.DataFrame, tmp_path: Path) -> None:
    looked = _preview(wells, tmp_path, Join("s.csv", *KEYS))
    (problem,) = looked.problems
    assert (problem.kind, problem.stops, problem.count) == ("join_several", True, 40)
    assert "40 rows into 80" in problem.message
    assert (looked.joins[0].rows_naive, looked.joins[0].dropped) == (80, ("image",))


def test_agreeing_columns_are_kept_and_the_others_left_out(
    wells: pd.DataFrame, tmp_path: Path, store: RunStore
) -> None:
    assert _preview(wells, tmp_path, Join("s.csv", *KEYS), join_several="agree").ready
    mapping = replace(WELLS, joins=(Join("s.csv", *KEYS, several="agree"),))
    (run,) = nid.import_runs(tmp_path / "t.csv", store, mapping=mapping)
    assert run.samples["dose"].tolist() == list(range(40))
    assert "image" not in run.samples


def test_the_first_row_can_be_taken(wells: pd.DataFrame, tmp_path: Path) -> None:
    looked = _preview(wells, tmp_path, Join("s.csv", *KEYS, several="first"))
    assert looked.rows["image"].tolist() == [0, 2, 4, 6, 8, 10, 12, 14]


def test_samples_without_a_row_are_counted_and_can_go(wells: pd.DataFrame, tmp_path: Path, store: RunStore) -> None:
    looked = _preview(wells.iloc[6:], tmp_path, Join("s.csv", *KEYS, several="agree"))
    (problem,) = [one for one in looked.problems if one.kind == "join_unmatched"]
    assert (problem.count, problem.stops) == (3, True)
    assert "'Week1_a + A01'" in problem.message
    (run,) = nid.import_runs(tmp_path / "t.csv", store, mapping=looked.mapping, choices={"join_unmatched": "drop rows"})
    assert len(run.samples) == 37
    (kept,) = nid.import_runs(tmp_path / "t.csv", store, mapping=looked.mapping, choices={"join_unmatched": "keep"})
    assert kept.samples["dose"].isna().sum() == 3


def test_rows_are_matched_by_position_only_where_there_are_equally_many(wells: pd.DataFrame, tmp_path: Path) -> None:
    assert _preview(wells[::2], tmp_path, Join("s.csv")).problems == ()
    (problem,) = _preview(wells[:30], tmp_path, Join("s.csv")).problems
    assert (problem.kind, problem.count, problem.choices) == ("join_rows", 10, ("stop",))
    assert "has 30 rows and the table 40" in problem.message


def test_a_second_join_finds_its_keys_in_the_first(wells: pd.DataFrame, tmp_path: Path) -> None:
    pd.DataFrame({"dose": [float(i) for i in range(40)], "active": ["yes", "no"] * 20}).to_csv(tmp_path / "d.csv")
    wells.to_csv(tmp_path / "s.csv", index=False)
    steps = (Join("s.csv", *KEYS, several="agree"), Join("d.csv", ("dose",), ("dose",), ("active",)))
    looked = preview(tmp_path / "t.csv", replace(WELLS, joins=steps))
    assert looked.joins[1].matched == 40
    assert looked.rows["active"].tolist() == ["yes", "no"] * 4


def test_a_column_that_both_have_is_told_apart_by_the_files_name(wells: pd.DataFrame, tmp_path: Path) -> None:
    side = wells[::2].assign(Metadata_Compound="?")
    looked = _preview(side, tmp_path, Join("s.csv", *KEYS))
    assert {"Metadata_Compound", "s.Metadata_Compound"} <= set(looked.rows)


def test_equal_numbers_are_equal_keys_however_they_are_written() -> None:
    assert key_text(pd.Series([3, 0])).tolist() == key_text(pd.Series([3.0, 0.0])).tolist() == ["3", "0"]
    assert key_text(pd.Series([0.1 + 0.2])).tolist() == key_text(pd.Series([0.3])).tolist()
    assert key_text(pd.Series([1.0, None])).isna().tolist() == [False, True]
    assert key_text(pd.Series([float("inf")])).tolist() == ["inf"]


def test_a_file_to_join_that_is_not_there_is_named(table: pd.DataFrame, tmp_path: Path) -> None:
    table.to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(nid.InvalidInput, match=r"no file gone\.csv to join"):
        preview(tmp_path / "t.csv", replace(WELLS, joins=(Join("gone.csv"),)))

"""Where rows are not independent, the split keeps them together."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nearid_core as nid
from nearid_core.align.matching import match_runs
from nearid_core.components.of_run import fit_key
from nearid_core.components.split import heldout_mask
from nearid_core.exchange import Mapping

N = 240


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Two runs of the same samples, each plate imaged twice."""
    rng = np.random.default_rng(0)
    known = pd.DataFrame({"id": [f"s{i}" for i in range(N)], "plate": [f"p{i % 12}" for i in range(N)]})
    known.loc[5, "plate"] = None
    paths = [tmp_path / "seed0.csv", tmp_path / "seed1.csv"]
    for path in paths:
        known.join(pd.DataFrame(rng.standard_normal((N, 3)), columns=list("xyz"))).to_csv(path, index=False)
    return paths


def _runs(files: list[Path], group: str | None) -> list[nid.Run]:
    mapping = Mapping(files="runs", sample_id=("id",), batch="plate", group=group)
    return nid.import_runs(files, nid.RunStore(files[0].parent / "store"), mapping=mapping)


def test_a_group_is_never_split_and_a_row_without_one_stands_alone(files: list[Path]) -> None:
    runs = _runs(files, "plate")
    matched = match_runs(runs, "embedding", "test", None, 0)
    plates = runs[0].samples["plate"]
    sides = pd.Series(matched.heldout).groupby(plates).nunique()
    assert (sides == 1).all()
    assert len(sides) == 12
    np.testing.assert_array_equal(matched.heldout, heldout_mask(plates.fillna("s5"), 0))


def test_without_a_group_the_split_is_by_sample(files: list[Path]) -> None:
    matched = match_runs(_runs(files, None), "embedding", "test", None, 0)
    np.testing.assert_array_equal(matched.heldout, heldout_mask(matched.sample_ids, 0))


def test_a_fit_under_another_grouping_is_another_fit(files: list[Path]) -> None:
    (grouped, _), (plain, _) = _runs(files, "plate"), _runs(files, None)
    assert fit_key(grouped, "embedding", "test", 0) != fit_key(plain, "embedding", "test", 0)


def test_groups_that_all_fall_on_one_side_are_said(files: list[Path]) -> None:
    for path in files:
        pd.read_csv(path).assign(plate="one").to_csv(path, index=False)
    with pytest.raises(nid.InvalidInput, match="has 1 groups of rows, and split seed 0 puts them all on one side"):
        match_runs(_runs(files, "plate"), "embedding", "test", None, 0)

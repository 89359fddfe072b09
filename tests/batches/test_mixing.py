"""Mixing scores against scib-metrics' own values, and on data whose answer is known."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nearid_core.batches.mixing import mixing_scores, nearest
from nearid_core.components import random_rotation
from tests.exchange.conftest import DATA

JUMP = DATA / "jump_scope_moa" / "merged_10batches.parquet"
PBMC = DATA / "pbmc_harmony"
SCIB = {"ilisi": 0.328, "kbet": 0.102, "silhouette_batch": 0.845, "graph_connectivity": 0.485, "pcr": 0.0090}


def scores(values: np.ndarray, batch: np.ndarray, label: np.ndarray | None = None) -> dict[str, float]:
    return mixing_scores(values, batch, label).set_index("score")["value"].to_dict()


@pytest.mark.skipif(not JUMP.exists(), reason=f"the tables of {DATA} are not on this machine")
def test_the_values_of_scib_metrics_on_ten_plates_of_jump() -> None:
    table = pd.read_parquet(JUMP)
    values = table[[name for name in table if not name.startswith("Metadata_")]].fillna(0).clip(-10, 10).to_numpy(float)
    values = (values - values.mean(axis=0)) / values.std(axis=0)
    batch, label = (pd.factorize(table[name])[0] for name in ("Metadata_batch", "Metadata_pert_iname"))
    found = scores(values, batch, label)
    assert {name: found[name] for name in SCIB} == pytest.approx(SCIB, rel=0.01)


@pytest.mark.skipif(not PBMC.exists(), reason=f"the tables of {DATA} are not on this machine")
def test_harmony_mixes_the_donors_of_pbmc() -> None:
    donor = pd.factorize(pd.read_csv(PBMC / "pbmc_3500_meta.tsv.gz", sep="\t")["donor"])[0]
    before, after = (
        scores(pd.read_csv(PBMC / f"pbmc_3500_{name}.tsv.gz", sep="\t").to_numpy(float), donor)
        for name in ("pcs", "pcs_harmonized")
    )
    assert after["ilisi"] > 2 * before["ilisi"]
    assert after["kbet"] > before["kbet"]
    assert after["pcr"] < before["pcr"]


def test_batches_dealt_at_random_are_mixed_and_batches_far_apart_are_not() -> None:
    rng = np.random.default_rng(0)
    values, batch, label = rng.normal(size=(1200, 5)), rng.integers(3, size=1200), rng.integers(4, size=1200)
    mixed = scores(values, batch, label)
    apart = scores(values + 100 * batch[:, None], batch, label)
    assert mixed["ilisi"] > 0.8
    assert mixed["kbet"] == pytest.approx(0.95, abs=0.05)
    assert mixed["pcr"] < 0.01
    assert (apart["ilisi"], apart["kbet"]) == (0.0, 0.0)
    assert apart["pcr"] > 0.99
    assert apart["silhouette_batch"] < 0.05 < 0.9 < mixed["silhouette_batch"]


def test_labels_far_apart_are_one_piece_each() -> None:
    rng = np.random.default_rng(1)
    label, batch = np.repeat([0, 1, 2], 100), np.tile([0, 1], 150)
    values = rng.normal(size=(300, 3)) + 50 * label[:, None]
    found = scores(values, batch, label)
    assert found["graph_connectivity"] == 1.0
    assert found["silhouette_label"] > 0.95


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000))
def test_no_score_sees_a_rotation(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values, batch, label = rng.normal(size=(250, 4)), rng.integers(3, size=250), rng.integers(3, size=250)
    turned = scores(values @ random_rotation(4, rng), batch, label)
    assert turned == pytest.approx(scores(values, batch, label), abs=1e-6)


def test_what_cannot_be_told_has_a_reason() -> None:
    values = np.random.default_rng(2).normal(size=(60, 3))
    alone = mixing_scores(values, np.zeros(60, int), np.arange(60) % 3).set_index("score")
    assert alone.loc[["ilisi", "kbet", "pcr", "silhouette_batch"], "value"].isna().all()
    assert (alone.loc[["ilisi", "pcr"], "note"] == "there is one batch").all()
    nested = mixing_scores(values, np.repeat([0, 1], 30), np.repeat([0, 1], 30)).set_index("score")
    assert nested.loc["silhouette_batch", "note"] == "no label occurs in two batches"


def test_the_batch_silhouette_is_not_read_without_labels() -> None:
    values = np.random.default_rng(4).normal(size=(60, 3))
    row = mixing_scores(values, np.arange(60) % 2).set_index("score").loc["silhouette_batch"]
    assert np.isnan(row["value"])
    assert row["note"] == "it is read within labels, and there are none"


def test_a_row_is_its_own_first_neighbour_among_duplicates() -> None:
    values = np.repeat(np.random.default_rng(3).normal(size=(10, 2)), 4, axis=0)
    np.testing.assert_array_equal(nearest(values, 6).indices[:, 0], np.arange(40))

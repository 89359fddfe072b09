"""The published figures are those of the reference, methods are tuned alike, and a claim follows from its numbers."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from nearid_core.errors import Cancelled, InvalidInput
from nearid_core.paper import E3, Reproduction
from nearid_core.paper.disentanglement import Recipe, recipe, reproduce
from nearid_core.paper.disentanglement.claims import beaten, claims_of, controlled
from nearid_core.paper.disentanglement.methods import METHODS, OURS, PLAIN
from nearid_core.paper.disentanglement.recipe import GRIDS, TRAINING
from nearid_core.paper.disentanglement.tuning import TAG, merit
from nearid_core.progress import Progress
from nearid_core.results import ResultCache
from nearid_core.runs import RunStore
from tests.exchange.conftest import DATA

REFERENCE = DATA.parent / "reference" / "paper_tables.csv"
ROWS = {"AE": "ae", "AE+ICA": "ae_ica", "beta-VAE": "beta_vae", "beta-TCVAE": "beta_tcvae", "BioAE": "bio_ae"}
BY_NAME = {method.name: method for method in METHODS}
TINY = {"n": 400, "epochs": 2, "levels": 3, "stem": 16, "latent_dim": 6}


@pytest.mark.skipif(not REFERENCE.exists(), reason=f"{REFERENCE} is not on this machine")
def test_the_published_values_are_those_of_the_paper() -> None:
    table = pd.read_csv(REFERENCE).query("table == 'disentanglement'")
    places = {"aggregate": 0, "Shapes3D": 1}
    for row in table.itertuples():
        where, quantity = row.column.split()
        if where in places:
            assert BY_NAME[ROWS[row.row]].published[quantity.lower()][places[where]] == row.value
    assert {method.name for method in METHODS if method.published} == set(ROWS.values())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("e3")


@pytest.fixture(scope="module")
def tiny(folder: Path) -> Reproduction:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nearid_core.factors.explicitness.STRENGTHS", (1.0,))  # a third of the time
        return reproduce(tiny_recipe(2), RunStore(folder / "store"), cache=ResultCache(folder / "cache", ()))


def tiny_recipe(settings: int) -> Recipe:
    grids = {source: grid[:settings] for source, grid in GRIDS.items()}
    return Recipe("balanced_scene", TINY, grids, (0,))


def test_the_table_has_every_method_and_quantity(tiny: Reproduction) -> None:
    uniform = tiny.table[tiny.table["law"] == "uniform"]
    assert len(uniform) == 5 * len(METHODS)
    assert not uniform.duplicated(["method", "quantity"]).any()
    assert uniform.loc[uniform["quantity"] == "MCC", "ours"].between(0, 1).all()
    assert (uniform["n_factors"] == 6).all()
    assert list(tiny.table.loc[tiny.table["law"] == "gaussian", "method"].unique()) == [
        *(method.title for method in METHODS if method.source in ("autoencoder", "pixels"))
    ]
    assert tiny.summary is not None
    assert len(tiny.summary) == len(METHODS) + 4


def test_the_control_has_no_published_value(tiny: Reproduction) -> None:
    published = tiny.table[tiny.table["published"].notna()]
    assert len(published) == 5 * 3  # methods in the paper's table, by InfoM, InfoE and InfoC
    assert set(published["law"]) == {"uniform"}


def test_a_random_rotation_is_a_spread_and_the_scores_of_one_model_lie_in_it(tiny: Reproduction) -> None:
    random = tiny.table.query("law == 'uniform' and method == 'AE + random rotation' and quantity == 'InfoM'").iloc[0]
    assert random["low"] < random["ours"] < random["high"]


def test_the_autoencoder_rows_share_one_setting(tiny: Reproduction) -> None:
    of_autoencoder = [method.title for method in METHODS if method.source == "autoencoder"]
    assert len(set(tiny.table[tiny.table["method"].isin(of_autoencoder)]["setting"])) == 1


def test_tuning_reads_another_draw_of_the_data_and_trains_each_setting_once(tiny: Reproduction, folder: Path) -> None:
    runs = RunStore(folder / "store").runs(tag=TAG)
    drawn = pd.DataFrame(
        [(run.config.family, run.config.options["data_seed"], run.config.options["law"]) for run in runs if run.config],
        columns=["family", "data_seed", "law"],
    )
    tuning = drawn[drawn["data_seed"] == 1]
    assert tuning["family"].value_counts().to_dict() == dict.fromkeys(drawn["family"], 2)
    assert set(tuning["law"]) == {"uniform"}
    assert len(drawn[drawn["data_seed"] == 0]) == 5 + 1  # one seed of each family, and the autoencoder's control


def test_a_second_call_trains_and_reads_nothing(
    tiny: Reproduction, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nearid_core.paper.disentanglement.reading._read", lambda *_: pytest.fail("read again"))
    monkeypatch.setattr("nearid_core.training.train_runs._train_missing", lambda *_: pytest.fail("trained again"))
    again = reproduce(tiny_recipe(2), RunStore(folder / "store"), cache=ResultCache(folder / "cache", ()))
    pd.testing.assert_frame_equal(again.table, tiny.table)


def test_progress_rises_to_its_end_and_a_cancelled_one_stops(folder: Path) -> None:
    seen: list[float] = []
    reproduce(
        tiny_recipe(2),
        RunStore(folder / "store"),
        lambda step: seen.append(step.fraction),
        ResultCache(folder / "cache", ()),
    )
    assert seen == sorted(seen)
    assert seen[-1] > 0.9

    def cancel(step: Progress) -> None:
        raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        reproduce(tiny_recipe(1), RunStore(folder / "none"), cancel, ResultCache(folder / "cache", ()))


@pytest.mark.parametrize("dataset", TRAINING)
@pytest.mark.parametrize("quick", [True, False])
def test_every_method_is_tuned_over_as_many_settings(dataset: str, quick: bool) -> None:
    ours = recipe(dataset, (0, 1, 2), quick=quick)
    assert {len(grid) for grid in ours.grids.values()} == {1 if quick else 4}
    for source, grid in ours.grids.items():
        configs = {ours.config(source, one, "uniform", 0).set_id for one in grid if source != "pixels"}
        assert len(configs) == (0 if source == "pixels" else len(grid))


def test_unequal_grids_are_refused() -> None:
    ours = recipe("balanced_scene", (0,), quick=True)
    with pytest.raises(InvalidInput, match="beta_vae 4"):
        dataclasses.replace(ours, grids={**ours.grids, "beta_vae": GRIDS["beta_vae"]})


def test_a_setting_that_there_is_not_is_refused() -> None:
    with pytest.raises(InvalidInput, match="did you mean 'balanced_scene'"):
        E3.run(dataset="balanced_scen")
    with pytest.raises(InvalidInput, match="seedz"):
        E3.run(seedz="0")


def test_collapse_is_not_what_tuning_chooses() -> None:
    collapsed = pd.DataFrame({"infom": [0.91], "mcc": [0.32]})
    found = pd.DataFrame({"infom": [0.85], "mcc": [0.95]})
    assert merit(collapsed) < merit(found)
    assert np.isnan(merit(pd.DataFrame({"infom": [np.nan], "mcc": [0.3]})))


def test_only_independent_components_can_be_identified(tiny: Reproduction) -> None:
    known = tiny.table.loc[tiny.table["n_identified"].notna(), "method"]
    assert set(known) == {method.title for method in METHODS if method.space == "ica"}


def fabricated(
    ours: tuple[float, float], others: tuple[float, float], *, law: str = "uniform", **more: object
) -> pd.DataFrame:
    """InfoM and MCC of AE + ICA, least and most over seeds, against those of all others."""
    usual = {"law": law, "n_active": 6.0, "n_factors": 6, "n_seeds": 3, "n_identified": 0.0}
    rows = []
    for method in METHODS:
        low, high = ours if method is OURS else others
        own = {} if method is OURS else more
        read = {"method": method.title, "low": low, "high": high, "ours": (low + high) / 2}
        rows += [usual | read | {"quantity": quantity} | own for quantity in ("InfoM", "MCC")]
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("ours", "others", "outcome"),
    [
        ((0.90, 0.95), (0.50, 0.60), ": reproduced."),
        ((0.50, 0.60), (0.90, 0.95), ": not reproduced."),
        ((0.50, 0.70), (0.65, 0.80), ": not told apart."),
    ],
)
def test_a_claim_follows_from_the_spread_over_seeds(
    ours: tuple[float, float], others: tuple[float, float], outcome: str
) -> None:
    said = claims_of(fabricated(ours, others))
    rivals = [method for method in METHODS if method.rival]
    assert len(said) == len(rivals) + 1
    assert all(outcome in one for one in said[:-1])


def test_one_seed_tells_nothing_apart() -> None:
    assert "not told apart" in beaten(fabricated((0.9, 0.9), (0.5, 0.5), n_seeds=1), PLAIN)


def test_a_collapsed_rival_is_named_as_one() -> None:
    table = fabricated((0.8, 0.82), (0.9, 0.92), n_active=2.0)
    mcc = (table["quantity"] == "MCC") & (table["method"] != OURS.title)
    table.loc[mcc, ["low", "high", "ours"]] = [0.30, 0.32, 0.31]
    said = beaten(table, BY_NAME["beta_vae"])
    assert "beta-VAE: not reproduced." in said
    assert "By MCC: reproduced." in said
    assert "2 active directions for 6 factors" in said


def test_a_rival_that_was_not_trained_is_not_judged() -> None:
    assert "No training of beta-VAE" in beaten(fabricated((0.9, 0.9), (0.5, 0.5), n_seeds=0), BY_NAME["beta_vae"])


@pytest.mark.parametrize(("ours", "sentence"), [(0.53, ": comes out."), (0.60, "does not come out.")])
def test_the_gaussian_control_allows_no_gain(ours: float, sentence: str) -> None:
    assert sentence in controlled(fabricated((ours, ours), (0.5, 0.5), law="gaussian"))

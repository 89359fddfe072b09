import sys

import numpy as np
import pandas as pd
import pytest

import nearid_core as nid
from nearid_core.batches.corrected_spaces import SPACES
from nearid_core.batches.corrections import CENTRING, COMBAT, CORRECTIONS, HARMONY, TVN
from nearid_core.batches.mixing import mixing_scores
from nearid_core.batches.variance import one_way
from tests.exchange.conftest import DATA

RNG = np.random.default_rng(0)
BATCH = np.repeat([0, 1, 2], 200)
CONTROL = np.tile([True, True, False, False], 150)
EVERY = np.arange(600)
SHIFT, SCALE = RNG.normal(scale=3, size=(3, 5)), np.exp(RNG.normal(size=(3, 5)))
TRUTH = RNG.normal(size=(600, 5)) + 2.0 * ~CONTROL[:, None]
SEEN = TRUTH * SCALE[BATCH] + SHIFT[BATCH]


def test_centring_leaves_controls_of_every_batch_with_mean_0_and_spread_1() -> None:
    result = CENTRING.corrected(SEEN, BATCH, CONTROL, EVERY)
    for one in range(3):
        own = result[(one == BATCH) & CONTROL]
        np.testing.assert_allclose(own.mean(axis=0), 0.0, atol=1e-10)
        np.testing.assert_allclose(own.std(axis=0), 1.0, atol=1e-10)


def test_centring_on_controls_keeps_the_effect_of_a_treatment() -> None:
    result = CENTRING.corrected(SEEN, BATCH, CONTROL, EVERY)
    np.testing.assert_allclose(result[~CONTROL].mean(axis=0), 2.0, atol=0.3)
    assert one_way(result[CONTROL], BATCH[CONTROL]).eta2.max() < 1e-12


def test_a_batch_that_was_not_learned_from_is_centred_by_its_own_controls() -> None:
    without = CENTRING.corrected(SEEN, BATCH, CONTROL, EVERY[BATCH != 2])
    np.testing.assert_allclose(without, CENTRING.corrected(SEEN, BATCH, CONTROL, EVERY))


def test_tvn_takes_shift_and_covariance_of_batches_off_the_controls() -> None:
    result = TVN.corrected(SEEN, BATCH, CONTROL, EVERY)
    own = [result[(one == BATCH) & CONTROL] for one in range(3)]
    np.testing.assert_allclose([rows.mean(axis=0) for rows in own], 0.0, atol=1e-10)
    spreads = [np.linalg.slogdet(np.cov(rows.T))[1] for rows in own]
    before = [np.linalg.slogdet(np.cov(SEEN[(one == BATCH) & CONTROL].T))[1] for one in range(3)]
    assert np.ptp(spreads) < 0.5 * np.ptp(before)


def test_combat_removes_a_planted_shift() -> None:
    result = COMBAT.corrected(SEEN, BATCH, None, EVERY)
    assert one_way(SEEN, BATCH).eta2.mean() > 0.4
    assert one_way(result, BATCH).eta2.max() < 0.01


def test_a_batch_without_controls_is_named() -> None:
    control = CONTROL & (BATCH != 1)
    with pytest.raises(nid.InvalidInput, match=r"the batch number 1 .* has 0"):
        CENTRING.corrected(SEEN, BATCH, control, EVERY)


def test_harmony_that_is_not_installed_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "harmonypy", None)
    with pytest.raises(nid.InvalidInput, match="pip install harmonypy"):
        HARMONY.corrected(SEEN, BATCH, None, EVERY)


def test_harmony_mixes_the_donors_of_pbmc() -> None:
    pytest.importorskip("harmonypy", reason="the extra harmony is not installed")
    if not (DATA / "pbmc_harmony").exists():
        pytest.skip(f"the tables of {DATA} are not on this machine")
    values = pd.read_csv(DATA / "pbmc_harmony" / "pbmc_3500_pcs.tsv.gz", sep="\t").to_numpy(float)
    donor = pd.factorize(pd.read_csv(DATA / "pbmc_harmony" / "pbmc_3500_meta.tsv.gz", sep="\t")["donor"])[0]
    result = HARMONY.corrected(values, donor, None, np.arange(len(values)))
    assert len(result) == len(values)
    before, after = (mixing_scores(v, donor).set_index("score")["value"] for v in (values, result))
    assert after["ilisi"] > before["ilisi"]
    assert after["pcr"] < before["pcr"]


def test_every_correction_is_a_space() -> None:
    assert set(CORRECTIONS.names()) <= set(SPACES.names())

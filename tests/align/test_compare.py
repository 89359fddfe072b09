import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nearid_core as nid
from nearid_core.align import cached, efficiency_of_means
from nearid_core.align.spaces import LADDER
from nearid_core.components import random_rotation
from nearid_core.results import ResultCache

PUBLISHED = Path(__file__).parents[3] / "shared" / "reference" / "paper_tables.csv"


def laplace(seed=0, n=1000, width=5):
    return np.random.default_rng(seed).laplace(size=(n, width)) * np.arange(1, width + 1)


def mean(comparison, group, space="latent"):
    return comparison.summary().set_index(["space", "group"]).loc[(space, group), "mean"]


@pytest.fixture(scope="module")
def turned():
    z = laplace()
    return nid.compare(z, z @ random_rotation(5, np.random.default_rng(1)) + 2.0)


def test_a_rotated_copy_agrees_rigidly_to_1e_6(turned):
    assert mean(turned, "rigid") < 1e-6
    assert mean(turned, "linear") < 1e-6
    assert mean(turned, "signed_permutation") > 0.05


def test_ica_undoes_the_rotation_of_a_copy(turned):
    assert mean(turned, "ica") < 1e-3
    assert mean(turned, "ica", "component") < 1e-3
    assert turned.components["returns"].all()
    efficiency = turned.ica_efficiency()
    assert efficiency["efficiency"].min() > 0.99


def test_a_signed_permutation_with_a_shift_is_exact():
    z = laplace()
    comparison = nid.compare(z, -z[:, [2, 0, 1, 4, 3]] + 7.0)
    assert mean(comparison, "signed_permutation") < 1e-12
    assert comparison.verdict.startswith("signed permutation:")


def test_gaussian_runs_agree_rigidly_and_ica_does_not_identify_them():
    z = np.random.default_rng(2).normal(size=(2000, 4)) * [1, 2, 3, 4]
    comparison = nid.compare(z, z @ random_rotation(4, np.random.default_rng(3)) + 0.1 * laplace(4, 2000, 4))
    assert comparison.verdict.startswith("rigid:")
    assert not comparison.components["identified"].any()
    assert any("unidentified" in note for note in comparison.notes)
    assert (comparison.blocks["lowest_r"] > 0.9).all()  # as a block they come back


def test_noise_equals_its_controls():
    comparison = nid.compare(laplace(5), laplace(6))
    rows = comparison.table.set_index(["space", "group"])
    np.testing.assert_allclose(
        rows.loc[("latent", "linear"), "mean"], rows.loc[("latent", "linear"), "constant"], rtol=0.02
    )
    np.testing.assert_allclose(rows["mean"], rows["shuffled"], rtol=0.06)
    assert comparison.verdict.startswith("no group holds")
    assert not comparison.components["returns"].any()


def test_agreement_that_is_only_classes_does_not_hold():
    rng = np.random.default_rng(7)
    labels = np.repeat(np.arange(5), 300)
    centres = rng.normal(size=(5, 4)) * 10
    runs = [centres[labels] @ random_rotation(4, rng) + rng.normal(size=(1500, 4)) for _ in range(2)]
    assert nid.compare(*runs).verdict.startswith(("rigid", "similarity", "linear"))
    aware = nid.compare(runs, label=labels)
    assert aware.verdict.startswith("no group holds")
    within = aware.table.set_index(["space", "group"]).loc[("latent", "rigid")]
    np.testing.assert_allclose(within["mean"], within["within_label"], rtol=0.03)


@pytest.mark.parametrize("narrow", [0, 1])
def test_runs_of_different_width_count_all_columns(narrow):
    z = laplace(8, 1200, 5)
    runs = [z, (z @ random_rotation(5, np.random.default_rng(9)))[:, :3]]
    if narrow == 0:
        runs.reverse()
    table = nid.compare(*runs).table.set_index(["reference", "group", "space"])
    wide = "a" if narrow else "b"
    residual_share = 1 - table.loc[(wide, "rigid", "latent"), "r2"]
    unmatched = table.loc[(wide, "rigid", "latent"), "unmatched_variance"]
    assert 0 < unmatched < 1
    assert residual_share >= unmatched - 0.02  # what has no partner cannot be explained
    assert (table.xs("linear", level="group")["unmatched_variance"] == 0).all()


def test_efficiency_has_a_reason_where_there_is_no_gap():
    z = laplace(10)
    row = nid.compare(z, z + 1e-3 * laplace(11)).ica_efficiency().iloc[0]
    assert np.isnan(row["efficiency"])
    assert "no gap" in row["reason"]


def test_the_ladder_has_the_public_names():
    assert (*LADDER, "ica") == nid.GROUPS


def test_whitened_errors_do_not_depend_on_the_scale_of_latents():
    z, other = laplace(12), laplace(12) @ random_rotation(5, np.random.default_rng(13)) + 0.3 * laplace(14)
    one, two = nid.compare(z, other), nid.compare(z * 100, other / 7)
    for group in ("rigid", "linear", "ica"):
        assert mean(one, group, "component") == pytest.approx(mean(two, group, "component"), rel=1e-3)


def test_profile_and_epsilon_agree(turned):
    noisy = nid.compare(laplace(15), laplace(15) + 0.3 * laplace(16))
    profile = noisy.epsilon_profile().query("group == 'rigid'")
    epsilon = noisy.summary().set_index(["space", "group"]).loc[("latent", "rigid"), "epsilon_95"]
    assert profile["fraction"].is_monotonic_increasing
    at = profile.set_index("epsilon")["low"]
    step = at.index[1] - at.index[0]
    assert at[at.index >= epsilon].iloc[0] >= 0.95
    assert at[at.index < epsilon - step].iloc[-1] < 0.96


def test_residuals_are_those_of_the_table():
    comparison = nid.compare(laplace(17), laplace(18))
    row = comparison.table.iloc[3]
    errors = comparison.residuals_of(row["reference"], row["other"], row["group"], row["space"])
    assert errors.mean() == pytest.approx(row["mean"], rel=1e-5)
    assert len(errors) == row["n_heldout"]


def test_samples_are_matched_by_id_and_not_by_row():
    z, ids = laplace(19), np.array([f"s{i}" for i in range(1000)])
    order = np.random.default_rng(20).permutation(1000)
    comparison = nid.compare([nid.Representation(z, ids), nid.Representation(z[order], ids[order])])
    assert mean(comparison, "identity") < 1e-12


def test_different_samples_are_named():
    z, ids = laplace(21, 50), np.array([f"s{i}" for i in range(50)])
    other = nid.Representation(z, np.array(["new", *ids[1:]]), run="two", layer="latent")
    with pytest.raises(nid.SampleMismatch, match=r"'s0' is only in .*run one, 'new' is only in .*run two"):
        nid.compare([nid.Representation(z, ids, run="one", layer="latent"), other])


@pytest.mark.parametrize(
    ("arrays", "error", "said"),
    [
        ((laplace(n=50), np.full((50, 5), np.nan)), nid.InvalidInput, "NaN"),
        ((laplace(n=50), laplace(n=51)), nid.SampleMismatch, "50 rows.*51"),
        ((laplace(n=50), np.ones((50, 5))), nid.InvalidInput, "constant"),
        ((laplace(n=50), np.ones(50)), nid.InvalidInput, r"shape \(50,\)"),
        ((laplace(n=3), laplace(n=3)), nid.InvalidInput, "too few"),
        (([laplace(n=50)],), nid.InvalidInput, "two runs or more"),
        (([laplace(n=50)] * 2, None, ["rigd"]), nid.InvalidInput, "did you mean 'rigid'"),
    ],
)
def test_input_that_cannot_be_compared_gets_one_sentence(arrays, error, said):
    with pytest.raises(error, match=said):
        nid.compare(*arrays)


@pytest.mark.parametrize("kind", [pd.DataFrame, np.ndarray.tolist, lambda z: __import__("torch").tensor(z)])
def test_what_numpy_makes_an_array_of_is_an_array(kind):
    z = laplace(23, 200, 3)
    assert mean(nid.compare(kind(z), kind(z)), "identity") == 0.0


@pytest.mark.parametrize("scale", [1e200, 1e-200])
def test_magnitudes_whose_squares_are_no_numbers_are_refused(scale):
    with pytest.raises(nid.InvalidInput, match="rescale"):
        nid.compare(laplace(24, 200, 3) * scale, laplace(25, 200, 3))


@pytest.mark.skipif(not PUBLISHED.exists(), reason=f"the published tables are not at {PUBLISHED}")
def test_published_efficiencies_follow_from_their_own_columns():
    rows = (
        pd.read_csv(PUBLISHED).query("table == 'alignment'").pivot_table(index="row", columns="column", values="value")
    )
    ours = 100 * efficiency_of_means(rows["permutation"], rows["ica"], rows["rigid"])
    assert len(rows) == 4
    # published errors have three digits, so a percentage is known to about one point
    np.testing.assert_allclose(ours, rows["ica_efficiency_percent"], atol=1.0)


def store_run(store, name, values, ids, status="done", **dataset):
    record = {"id": name, "set": "made", "seed": None, "status": status, "dataset": {"name": "made", **dataset}}
    samples = pd.DataFrame({"sample_id": ids, "split": "test", "kind": np.arange(len(ids)) % 3})
    with store.begin(name, {"config": {}, "seed": 0}) as writer:
        return writer.finish(record, samples=samples, layers={"latent": values.astype(np.float32)})


def test_a_comparison_of_stored_runs_is_kept_and_read_back(tmp_path):
    store, cache = nid.RunStore(tmp_path / "store"), ResultCache(tmp_path / "cache", shipped=())
    ids = [f"s{i}" for i in range(300)]
    runs = [store_run(store, name, laplace(seed, 300, 3), ids, label="kind") for seed, name in enumerate("ab")]
    assert cached(runs, "latent", cache=cache) is None
    seen = []
    fresh = nid.compare(runs, cache=cache, on_progress=seen.append)
    again = cached(runs, "latent", cache=cache)
    pd.testing.assert_frame_equal(again.table, fresh.table)
    np.testing.assert_array_equal(again.residuals, fresh.residuals)
    assert again.verdict == fresh.verdict
    assert "class mean" in fresh.verdict
    assert list(dict.fromkeys(p.done for p in seen)) == [0, 1, 2, 3, 4]
    assert cached(runs, "latent", split_seed=1, cache=cache) is None


def test_failed_runs_and_other_data_are_refused(tmp_path):
    store, ids = nid.RunStore(tmp_path), [f"s{i}" for i in range(60)]
    one = store_run(store, "one", laplace(0, 60, 2), ids, digest="x")
    other = store_run(store, "other", laplace(1, 60, 2), ids, digest="y")
    failed = store_run(store, "broken", laplace(2, 60, 2), ids, status="failed", digest="x")
    with pytest.raises(nid.SampleMismatch, match="different made data"):
        nid.compare([one, other])
    with pytest.raises(nid.InvalidInput, match="broken has no representations"):
        nid.compare([one, failed])


def test_reading_a_result_loads_no_numerical_library():
    script = "import sys, json, nearid_core as nid; nid.RunStore; nid.Comparison; nid.align.cached; "
    script += "print(json.dumps([m for m in ('torch','umap','numba','scipy','sklearn') if m in sys.modules]))"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert json.loads(out.stdout) == []

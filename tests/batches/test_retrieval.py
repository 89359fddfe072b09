import numpy as np
import pytest

from nearid_core.batches.retrieval import retrieval, retrieved

LABEL, BATCH = np.repeat(np.arange(5), 12), np.tile(np.arange(4), 15)
NAMES = list("abcde")


def clusters(noise: float) -> np.ndarray:
    return np.eye(6)[LABEL] + noise * np.random.default_rng(0).normal(size=(60, 6))


def test_labels_that_lie_apart_are_all_retrieved() -> None:
    table = retrieval(clusters(0.01), LABEL, BATCH, names=NAMES)
    assert list(table["map"]) == [1.0] * 5
    assert retrieved(table)["share_retrieved"] == 1.0


def test_noise_is_retrieved_as_chance_has_it() -> None:
    noise = np.random.default_rng(1).normal(size=(600, 6))
    table = retrieval(noise, np.repeat(np.arange(5), 120), np.tile(np.arange(4), 150), names=NAMES)
    assert table["map"].mean() == pytest.approx(table["null_map"].mean(), abs=0.02)
    assert (table["corrected_p"] > 0.05).all()


def test_a_ranking_worked_out_by_hand() -> None:
    """One query and its partner in the other batch, two controls: one is nearer than the partner, one is not.

    Precision at the partner's rank 2 is 1/2; the partner sees its query first, so its average precision is 1.
    """
    degrees = np.deg2rad([0, 50, 340, 180])
    values = np.stack([np.cos(degrees), np.sin(degrees)], axis=1)
    label, batch, control = np.array([0, 0, -1, -1]), np.array([0, 1, 0, 1]), np.array([False, False, True, True])
    table = retrieval(values, label, batch, control, names=["drug"])
    assert table["map"].tolist() == [pytest.approx((0.5 + 1.0) / 2)]


def test_a_label_of_one_batch_is_listed_with_its_reason() -> None:
    batch = np.where(LABEL == 4, 0, BATCH)
    table = retrieval(clusters(0.01), LABEL, batch, names=NAMES)
    assert table.set_index("label").loc["e", "note"] == "it is in one batch only"
    assert retrieved(table)["n_labels"] == 4


def test_no_rotation_changes_a_retrieval() -> None:
    values = clusters(0.7)
    turned = values @ np.linalg.qr(np.random.default_rng(2).normal(size=(6, 6)))[0]
    before, after = (retrieval(v, LABEL, BATCH, names=NAMES)["map"] for v in (values, turned))
    np.testing.assert_allclose(before, after, atol=1e-6)


def test_nothing_is_left_in_the_home_folder(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    retrieval(clusters(0.7), LABEL, BATCH, names=NAMES)
    assert list(tmp_path.iterdir()) == []


def test_a_mechanism_is_found_under_its_other_compounds_only() -> None:
    """Compounds 0 and 1 share a mechanism and a place, compound 2 has its mechanism to itself."""
    compound, place = np.repeat([0, 1, 2, 3], 8), np.repeat([0, 0, 1, 2], 8)
    values = np.eye(4)[place] + 0.01 * np.random.default_rng(3).normal(size=(32, 4))
    mechanism = np.repeat([0, 0, 1, -1], 8)
    table = retrieval(values, mechanism, compound, compound == 3, names=["tubulin", "actin"], apart="label")
    assert table.set_index("label")["map"]["tubulin"] == 1.0
    assert table.set_index("label")["note"]["actin"] == "it is in one label only"

import numpy as np
import pandas as pd
import pytest

import nearid_core as nid
from nearid_core.components import BlockedRows, block_angles
from nearid_core.components.ica import random_rotation


@pytest.fixture(scope="module")
def runs():
    """Three Laplace and three Gaussian sources, turned at random in either run, with one percent of noise."""
    rng = np.random.default_rng(0)
    sources = np.column_stack([rng.laplace(size=(6000, 3)) / np.sqrt(2), rng.normal(size=(6000, 3))])
    return [sources @ random_rotation(6, rng) + 0.01 * rng.normal(size=sources.shape) for _ in range(2)]


def test_gaussian_components_return_as_a_block_and_not_singly(runs):
    comparison = nid.compare(runs)
    assert (comparison.components.groupby(["reference", "other"])["identified"].sum() == 3).all()
    assert comparison.components.query("identified")["returns"].all()
    assert len(comparison.blocks) == 2
    assert (comparison.blocks[["size", "size_other"]] == 3).all(axis=None)
    assert comparison.blocks["lowest_r"].min() > 0.99
    assert comparison.blocks["null_r"].max() < 0.1
    assert comparison.blocks["identifiable"].all()


def blocked(rows, *blocks):
    half = len(rows) // 2
    table = pd.DataFrame([(of, i) for i, block in enumerate(blocks) for of in block], columns=["component", "block"])
    return BlockedRows(rows[:half], rows[half:], table)


def orders(n, count=19):
    rng = np.random.default_rng(1)
    return np.stack([rng.permutation(n) for _ in range(count)])


def test_cosines_are_the_principal_angles_between_subspaces():
    rows = np.random.default_rng(2).normal(size=(40_000, 4))
    angle = 0.6
    turned = rows.copy()
    turned[:, 1] = np.cos(angle) * rows[:, 1] + np.sin(angle) * rows[:, 2]
    found = block_angles(blocked(rows, [0, 1]), blocked(turned @ np.diag([3.0, 1, 1, 1]), [0, 1]), orders(20_000))
    assert abs(found["lowest_r"][0] - np.cos(angle)) < 0.01
    assert abs(found["mean_r"][0] - (1 + np.cos(angle)) / 2) < 0.01
    assert not found["identifiable"][0]


def test_blocks_are_matched_by_what_they_share():
    rows = np.random.default_rng(3).normal(size=(2000, 5))
    rotation = random_rotation(2, np.random.default_rng(4))
    other = np.column_stack([rows[:, 3:] @ rotation, rows[:, :3]])
    found = block_angles(blocked(rows, [0, 1, 2], [3, 4]), blocked(other, [0, 1], [2, 3, 4]), orders(1000))
    assert found[["block", "block_other"]].to_numpy().tolist() == [[0, 1], [1, 0]]
    assert found["identifiable"].all()


def test_a_small_block_within_a_large_one_is_not_the_same_block():
    rows = np.random.default_rng(5).normal(size=(2000, 5))
    found = block_angles(blocked(rows, [0]), blocked(rows, [0, 1, 2, 3, 4]), orders(1000))
    assert found["lowest_r"][0] > 0.999
    assert not found["identifiable"][0]


def test_unrelated_blocks_do_not_exceed_their_null():
    rng = np.random.default_rng(6)
    found = block_angles(
        blocked(rng.normal(size=(2000, 3)), [0, 1, 2]), blocked(rng.normal(size=(2000, 3)), [0, 1, 2]), orders(1000)
    )
    assert abs(found["mean_r"][0]) < found["null_r"][0] < 0.12
    assert not found["identifiable"][0]


def test_runs_without_blocks_give_no_rows():
    rows = np.random.default_rng(7).normal(size=(100, 2))
    assert len(block_angles(blocked(rows), blocked(rows, [0]), orders(50))) == 0

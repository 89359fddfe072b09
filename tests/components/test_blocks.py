import numpy as np
import pandas as pd

from nearid_core.components import fit_components
from nearid_core.components.blocks import blocks_of
from nearid_core.components.components import Components


def blocks(identified, gaussian, dependent=(), mixed=()):
    r = len(identified)
    pairs, mixing = np.zeros((r, r), bool), np.eye(r)
    for i, j in dependent:
        pairs[i, j] = pairs[j, i] = True
    for i, j in mixed:
        mixing[i, j] = 0.3
    table = blocks_of(pd.DataFrame({"identified": identified}), np.array(gaussian), pairs, mixing)
    return {(tuple(of["component"]), of["reason"].iloc[0]) for _, of in table.groupby("block")}


def test_gaussian_components_are_one_block():
    assert blocks([True, False, False, False], [False, True, True, True]) == {((1, 2, 3), "close to Gaussian")}


def test_dependent_components_form_blocks_apart():
    found = blocks([False] * 4, [False] * 4, dependent=[(0, 2), (1, 3)])
    assert found == {((0, 2), "dependent on each other"), ((1, 3), "dependent on each other")}


def test_a_block_holds_what_refits_mix_with_and_gives_every_reason():
    found = blocks([False] * 3, [True, False, False], mixed=[(1, 0)])
    assert found == {((0, 1), "close to Gaussian, unstable"), ((2,), "unstable")}


def test_identified_components_link_nothing_and_are_in_no_block():
    found = blocks([False, True, False], [False] * 3, dependent=[(0, 1), (1, 2)], mixed=[(0, 1), (2, 1)])
    assert found == {((0,), "unstable"), ((2,), "unstable")}
    assert blocks([True, True], [False, False]) == set()


def test_planted_blocks_are_found_and_survive_the_cache():
    rng = np.random.default_rng(0)
    scale = rng.exponential(size=(6000, 1))
    sources = np.column_stack(
        [rng.laplace(size=(6000, 2)), rng.normal(size=(6000, 3)), rng.normal(size=(6000, 2)) * scale]
    )
    values = sources @ rng.normal(size=(7, 7))
    fit = fit_components(values[:3000], heldout=values[3000:])
    sizes = fit.blocks.groupby("reason")["block"].agg(["count", "nunique"])
    assert sizes.loc["close to Gaussian"].tolist() == [3, 1]
    assert sizes.loc["dependent on each other"].tolist() == [2, 1]
    assert len(fit.blocks) == 5
    pd.testing.assert_frame_equal(Components.from_entry(fit.to_entry()).blocks, fit.blocks)

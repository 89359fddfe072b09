import numpy as np
import pandas as pd

from nearid_core.components.dependence import dependence_table, strongest_dependence


def centred(x):
    distances = np.abs(x[:, None] - x)
    n = len(x)
    centring = np.eye(n) - 1 / n
    return -centring @ distances @ centring


def exact(x, y):
    """Distance correlation, less the mean over permutations, from whole distance matrices."""

    def covariance(a, b):
        return (a * b).sum() - np.trace(a) * np.trace(b) / (len(a) - 1)

    a, b = centred(x), centred(y)
    return np.sqrt(max(0.0, covariance(a, b) / np.sqrt(covariance(a, a) * covariance(b, b))))


def test_eigenvectors_give_the_distance_correlation():
    rng = np.random.default_rng(0)
    x = rng.laplace(size=500)
    columns = np.column_stack([x, x + rng.normal(size=500), np.abs(x) * rng.choice([-1, 1], 500)])
    for row in dependence_table(columns).itertuples():
        assert abs(row.dependence - exact(columns[:, row.component], columns[:, row.other])) < 0.01


def test_the_correction_is_the_mean_over_permutations():
    rng = np.random.default_rng(1)
    a, b = centred(rng.laplace(size=40)), centred(rng.uniform(size=40))
    orders = (rng.permutation(40) for _ in range(20_000))
    mean = np.mean([(a * b[np.ix_(order, order)]).sum() for order in orders])
    assert abs(mean / (np.trace(a) * np.trace(b) / 39) - 1) < 0.01


def test_a_sphere_is_dependent_and_uncorrelated():
    points = np.random.default_rng(2).normal(size=(2000, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    columns = np.column_stack([points, np.random.default_rng(3).laplace(size=2000)])
    table = dependence_table(columns)
    within = table["other"] < 3
    assert (table.loc[within, "p_value"] <= 0.05).all()
    assert (table.loc[~within, "p_value"] > 0.05).all()
    most = strongest_dependence(table, 4)
    assert set(most["dependent_on"][:3]) <= {0, 1, 2}
    assert most["dependence_p"][3] > 0.05


def test_p_values_hold_for_all_pairs_at_once():
    rng = np.random.default_rng(4)
    least = [dependence_table(rng.laplace(size=(100, 8)), seed)["p_value"].min() for seed in range(60)]
    assert np.mean(np.array(least) <= 0.05) < 0.15  # 5 percent of 60 is 3; 9 or more has a chance of 0.3 percent


def test_dependence_is_repeatable_and_one_component_has_none():
    columns = np.random.default_rng(5).laplace(size=(1500, 3))
    pd.testing.assert_frame_equal(dependence_table(columns, 1), dependence_table(columns, 1))
    alone = strongest_dependence(dependence_table(columns[:, :1]), 1)
    assert alone.to_dict("records") == [{"dependence": 0.0, "dependent_on": -1, "dependence_p": 1.0}]

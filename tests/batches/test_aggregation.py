import numpy as np
import pandas as pd
import pytest

import nearid_core as nid
from nearid_core.batches import aggregate

SAMPLES = pd.DataFrame(
    {
        "sample_id": list("abcdef"),
        "plate": ["P2", "P1", "P1", "P2", "P2", None],
        "well": ["A", "B", "B", "A", "C", "A"],
        "moa": ["x", "y", "y", "x", "z", "q"],
        "cell": range(6),
    }
)
VALUES = np.arange(12.0).reshape(6, 2)


def test_cells_become_wells_with_what_they_agree_on() -> None:
    values, samples = aggregate(VALUES, SAMPLES, ["plate", "well"])
    np.testing.assert_array_equal(values, [[3, 4], [3, 4], [8, 9]])
    assert samples["sample_id"].tolist() == ["P1_B", "P2_A", "P2_C"]
    assert samples["moa"].tolist() == ["y", "x", "z"]
    assert samples["n_rows"].tolist() == [2, 2, 1]
    assert "cell" not in samples


def test_the_median_is_not_moved_by_one_row() -> None:
    values, _ = aggregate(np.array([[0.0], [1.0], [1000.0]]), pd.DataFrame({"well": ["A"] * 3}), "well", "median")
    assert values.tolist() == [[1.0]]


@pytest.mark.parametrize(
    ("by", "how", "sentence"),
    [
        ("plat", "mean", "did you mean 'plate'"),
        ("plate", "sum", "no way to aggregate 'sum'"),
        ("none", "mean", "No row"),
    ],
)
def test_what_cannot_be_aggregated_is_a_sentence(by: str, how: str, sentence: str) -> None:
    with pytest.raises(nid.InvalidInput, match=sentence):
        aggregate(VALUES, SAMPLES.assign(none=None), by, how)

"""scikit-learn's digits as a Dataset."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_digits

import nearid_core as nid
from nearid_core.datasets.digits import TEST_SHARE


def test_digits_are_all_of_scikit_learns_scaled_to_one() -> None:
    digits = nid.load_dataset("digits")
    assert digits.features.shape == (1797, 64)
    assert digits.features.dtype == np.float32
    np.testing.assert_allclose(digits.features * 16, load_digits().data)
    assert digits.images is not None
    assert digits.images.shape == (1797, 1, 8, 8)
    assert digits.samples["digit"].tolist() == load_digits().target.tolist()
    assert (digits.label, digits.factor_names) == ("digit", ("digit",))


def test_the_split_is_exact_and_ids_are_unique() -> None:
    samples = nid.load_dataset("digits").samples
    assert samples["sample_id"].is_unique
    assert samples["sample_id"].iloc[7] == "digit-0007"
    assert (samples["split"] == "test").sum() == round(1797 * TEST_SHARE)


def test_the_digest_follows_the_data_seed() -> None:
    assert nid.load_dataset("digits").digest == nid.load_dataset("digits").digest
    assert nid.load_dataset("digits").digest != nid.load_dataset("digits", seed=1).digest


def test_a_subset_keeps_each_digit_under_its_id() -> None:
    whole, part = nid.load_dataset("digits"), nid.load_dataset("digits", n=100)
    rows = part.samples["sample_id"].str.removeprefix("digit-").astype(int).to_numpy()
    assert len(part) == 100
    assert len(set(rows // 180)) > 5, "drawn from everywhere"
    np.testing.assert_array_equal(part.features, whole.features[rows])


@pytest.mark.parametrize("n", [0, 1798])
def test_more_digits_than_there_are_is_one_sentence(n: int) -> None:
    with pytest.raises(nid.InvalidInput, match=rf"n is {n}; expected a whole number from 20 to 1797\."):
        nid.load_dataset("digits", n=n)


def test_an_unknown_name_or_setting_names_the_nearest() -> None:
    with pytest.raises(nid.InvalidInput, match="did you mean 'digits'"):
        nid.load_dataset("digit")
    with pytest.raises(nid.InvalidInput, match="did you mean 'condition'"):
        nid.load_dataset("nonlinear_mixing", conditon=2)


def test_description_says_how_many_of_what() -> None:
    assert nid.load_dataset("digits").describe() == (
        "digits: 1,797 samples of 1x8x8; 988 to train on, 809 held back; factors: digit"
    )

"""Seeds as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nearid_core.errors import InvalidInput
from nearid_core.training import parse_seeds


@pytest.mark.parametrize(
    ("seeds", "expected"),
    [
        ("0-7", list(range(8))),
        ("0,2,5", [0, 2, 5]),
        ("5, 0-2 ,1", [0, 1, 2, 5]),
        ("3", [3]),
        (4, [4]),
        (range(3), [0, 1, 2]),
        ([2, 0, 2], [0, 2]),
    ],
)
def test_seeds_are_sorted_without_repeats(seeds: object, expected: list[int]) -> None:
    assert parse_seeds(seeds) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["a-b", "", "0-", "-3", "1.5", "0--3", "0;1", "²", "1,,2"])
def test_text_that_is_no_seeds_is_one_sentence(text: str) -> None:
    with pytest.raises(InvalidInput, match=r'expected whole numbers and ranges such as "0-7" or "0,2,5"\.$'):
        parse_seeds(text)


@pytest.mark.parametrize("seeds", [[], [-1], [2**32], [1.5], [None], [True], ["1"], "7-3", "0-99999"])
def test_seeds_out_of_range_or_of_another_kind_are_refused(seeds: object) -> None:
    with pytest.raises(InvalidInput):
        parse_seeds(seeds)  # type: ignore[arg-type]


@given(st.sets(st.integers(0, 2**32 - 1), min_size=1, max_size=20))
def test_numbers_written_with_commas_are_read_back(numbers: set[int]) -> None:
    assert parse_seeds(",".join(map(str, numbers))) == sorted(numbers)

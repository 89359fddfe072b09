"""Seeds as people write them."""

from __future__ import annotations

from collections.abc import Iterable

from nearid_core.errors import InvalidInput

LARGEST = 2**32 - 1
MOST = 10_000  # seeds at once; more is a typing error

_EXPECTED = 'expected whole numbers and ranges such as "0-7" or "0,2,5"'


def parse_seeds(seeds: str | int | Iterable[int]) -> list[int]:
    """Sorted, without repeats: ``"0-3,7"`` is [0, 1, 2, 3, 7]; numbers are taken as they are.

    Raises InvalidInput for text that is not that, an empty list, or a seed outside 0 to 2**32 - 1.
    """
    if isinstance(seeds, str):
        numbers = [number for part in seeds.split(",") for number in _part(part.strip(), seeds)]
    elif isinstance(seeds, Iterable):
        numbers = [_whole(seed) for seed in seeds]
    else:
        numbers = [_whole(seeds)]
    if not numbers:
        raise InvalidInput(f"There are no seeds in {seeds!r}; {_EXPECTED}.")
    outside = [number for number in numbers if not 0 <= number <= LARGEST]
    if outside:
        raise InvalidInput(f"Seed {outside[0]} is out of range; expected 0 to {LARGEST}.")
    return sorted(set(numbers))


def _part(part: str, text: str) -> range:
    first, dash, last = part.partition("-")
    if not (first.isdecimal() and (last.isdecimal() if dash else True)):
        raise InvalidInput(f"Seeds are {text!r}; {_EXPECTED}.")
    span = range(int(first), int(last if dash else first) + 1)
    if not span:
        raise InvalidInput(f"Seeds are {text!r}, and {part} runs backwards; {_EXPECTED}.")
    if span.stop - span.start > MOST:
        raise InvalidInput(f"Seeds are {text!r}, more than {MOST:,} of them; train them in smaller groups.")
    return span


def _whole(seed: object) -> int:
    try:
        if not isinstance(seed, (str, bool)) and int(seed) == seed:  # type: ignore[call-overload]
            return int(seed)  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):
        pass
    raise InvalidInput(f"A seed is {seed!r}; {_EXPECTED}.")

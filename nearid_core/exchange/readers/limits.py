"""How large a file may say that it is. Checked before anything of that size is allocated."""

from __future__ import annotations

from pathlib import Path

from nearid_core.errors import UnsupportedFormat

FREE = 64 << 20  # bytes that any file may unpack to
RATIO = 200  # beyond that, how many times its size on disk; measured tables of numbers reach about 20
MOST_COLUMNS = 1_000_000
LONGEST_NAME = 1_000  # characters of a column name


def check_expansion(path: Path, unpacked: int, stored: int) -> None:
    """Refuse what unpacks to far more than numbers do: a decompression bomb, or a shape that was made up."""
    if unpacked > max(FREE, RATIO * stored):
        raise UnsupportedFormat(
            f"{path.name} says that it unpacks to {unpacked:,} bytes from {stored:,}, which tables of numbers do not "
            f"do; if it is genuine, save it without compression."
        )


def check_names(path: Path, names: list[str]) -> None:
    """Refuse names that cannot be told apart or shown."""
    if len(names) > MOST_COLUMNS:
        raise UnsupportedFormat(f"{path.name} has {len(names):,} columns; at most {MOST_COLUMNS:,} are read.")
    longest = max(names, key=len, default="")
    if len(longest) > LONGEST_NAME:
        raise UnsupportedFormat(
            f"{path.name} has a column name of {len(longest):,} characters ({longest[:40]!r}...); expected names of at "
            f"most {LONGEST_NAME:,}. Is its first line the header?"
        )
    seen: set[str] = set()
    twice = [name for name in names if name in seen or seen.add(name)]  # type: ignore[func-returns-value]
    if twice:
        raise UnsupportedFormat(
            f"{path.name} has {len(set(twice))} column name{'s' * (len(set(twice)) != 1)} more than once, such as "
            f"{twice[0]!r}; rename the columns so that each name is there once."
        )

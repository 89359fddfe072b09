"""What the place on the plate alone can tell."""

from __future__ import annotations

import re

import numpy as np

from nearid_core.errors import InvalidInput

PLATES = ((8, 12), (16, 24), (32, 48))  # rows and columns of 96, 384 and 1,536 wells
_WELL = re.compile(r"([A-Za-z]{1,2})0*(\d{1,2})")


def row_and_column(wells: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Rows and columns, counted from 0, of wells such as ``B07``; None unless every one of them is such a name."""
    found = [_WELL.fullmatch(str(well)) for well in wells]
    if None in found:
        return None
    rows = np.array([_row_number(match.group(1)) for match in found if match])
    return rows, np.array([int(match.group(2)) - 1 for match in found if match])


def position_features(wells: np.ndarray) -> list[np.ndarray]:
    """What a classifier can see of positions: one matrix by well, and one by row and column where wells have them.

    wells : (n,) str. Each matrix is (n, d), an indicator a column.
    """
    features = [_indicators(wells)]
    placed = row_and_column(wells)
    if placed is not None:
        features.append(np.hstack([_indicators(side) for side in placed]))
    return features


def on_plate(wells: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Mean of the values in each well, (rows, columns) of the smallest plate that holds them all; NaN where none is.

    wells : (n,) str; values : (n,). Raises InvalidInput for names that are no wells, or are on no plate.
    """
    placed = row_and_column(wells)
    if placed is None:
        raise InvalidInput("The positions are no wells such as B07, so there is no plate to draw.")
    rows, columns = placed
    shape = next((plate for plate in PLATES if rows.max() < plate[0] and columns.max() < plate[1]), None)
    if shape is None:
        place = f"row {rows.max() + 1}, column {columns.max() + 1}"
        raise InvalidInput(f"A well in {place} is on no plate of up to 1,536 wells.")
    total, count = np.zeros(shape), np.zeros(shape)
    np.add.at(total, placed, values)
    np.add.at(count, placed, 1.0)
    return np.divide(total, count, out=np.full(shape, np.nan), where=count > 0)


def _row_number(letters: str) -> int:
    """A is 0, Z is 25, AA is 26, as on plates of 1,536 wells."""
    number = 0
    for letter in letters.upper():
        number = 26 * number + ord(letter) - ord("A") + 1
    return number - 1


def _indicators(values: np.ndarray) -> np.ndarray:
    _, codes = np.unique(values, return_inverse=True)
    return np.eye(codes.max() + 1)[codes]

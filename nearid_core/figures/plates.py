"""A value by its place on the plate."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from nearid_core.errors import InvalidInput
from nearid_core.figures.appearance import axis, layout, scale

PLATES = ((8, 12), (16, 24), (32, 48))  # rows and columns of 96, 384 and 1,536 wells


def plate_map(wells: pd.Series, values: np.ndarray, title: str, *, height: int | None = None) -> Any:
    """Mean of the values in each well, on the smallest plate that holds them all.

    wells : (n,) such as ``B07``; values : (n,). Colours run from blue to red about the median and end at its largest
    distance from it, so that one plate can be held against another's colours only by the scale.

    Raises InvalidInput for names that are no wells.
    """
    import plotly.graph_objects as go

    from nearid_core.batches.position import row_and_column

    placed = row_and_column(wells.astype(str).to_numpy())
    if placed is None:
        raise InvalidInput("The positions are no wells such as B07, so there is no plate to draw.")
    rows, columns = placed
    fitting = [shape for shape in PLATES if rows.max() < shape[0] and columns.max() < shape[1]]
    if not fitting:
        raise InvalidInput(
            f"A well in row {rows.max() + 1}, column {columns.max() + 1} is on no plate of up to 1,536 wells."
        )
    shape = fitting[0]
    total, count = np.zeros(shape), np.zeros(shape)
    np.add.at(total, (rows, columns), values)
    np.add.at(count, (rows, columns), 1.0)
    mean = np.divide(total, count, out=np.full(shape, np.nan), where=count > 0)
    middle = float(np.nanmedian(mean))
    reach = float(np.nanmax(np.abs(mean - middle))) or 1.0
    figure = go.Figure()
    figure.add_heatmap(
        z=mean,
        x=[str(number + 1) for number in range(shape[1])],
        y=[_letters(number) for number in range(shape[0])],
        zmin=middle - reach,
        zmax=middle + reach,
        colorscale="RdBu",
        reversescale=True,
        xgap=1,
        ygap=1,
        hovertemplate="%{y}%{x}: %{z:.3f}<extra></extra>",
        colorbar=scale(title),
    )
    categories = {"type": "category", "showgrid": False}
    figure.update_layout(
        **layout(f"plate_map {title}", height=height or 130 + 24 * min(shape[0], 16)),
        xaxis=axis("", **categories, tickangle=0),
        yaxis=axis("", **categories, autorange="reversed"),
    )
    return figure


def _letters(number: int) -> str:
    """A ... Z, AA ... AF."""
    return chr(65 + number) if number < 26 else "A" + chr(65 + number - 26)

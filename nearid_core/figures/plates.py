"""A value by its place on the plate."""

from __future__ import annotations

from typing import Any

import numpy as np

from nearid_core.figures.appearance import axis, layout, scale


def plate_map(mean: np.ndarray, title: str, *, height: int | None = None) -> Any:
    """A value a well; colours run from blue to red about the median and end at its largest distance from it.

    mean : (rows, columns) as `on_plate` gives it, NaN where a well is empty. So one plate can be held against another's
    colours only by the scale.
    """
    import plotly.graph_objects as go

    shape = mean.shape
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

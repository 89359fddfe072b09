"""Samples on a plane, before and after, in the same colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from nearid_core.figures.appearance import (
    BLUE,
    BROWN,
    GREEN,
    LAVENDER,
    NEUTRAL,
    ORANGE,
    PLUM,
    STEEL,
    VIOLET,
    axis,
    layout,
)

_COLOURS = (BLUE, ORANGE, GREEN, VIOLET, BROWN, STEEL, PLUM, LAVENDER)
_WEBGL_ABOVE = 2_000  # points
_ROOM = {"legend": {"itemsizing": "constant", "title": {"text": ""}}, "margin": {"l": 24, "r": 24, "t": 44, "b": 16}}


def before_after(
    before: np.ndarray, after: np.ndarray, colour: pd.Series, titles: Sequence[str], *, height: int = 400
) -> Any:
    """Two planes side by side, coloured by a column; its eight most frequent values have a colour, all others are grey.

    before, after : (n, 2) coordinates of the same samples; titles : of the two.
    """
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

    figure = make_subplots(rows=1, cols=2, subplot_titles=list(titles), horizontal_spacing=0.06)
    texts = colour.astype(str).where(colour.notna(), "none")
    frequent = list(texts.value_counts().index[: len(_COLOURS)])
    kind = go.Scattergl if len(before) > _WEBGL_ABOVE else go.Scatter
    for name in [*(value for value in texts.unique() if value not in frequent), *frequent]:
        rows = (texts == name).to_numpy()
        named = name in frequent
        for place, points in enumerate((before, after), start=1):
            figure.add_trace(
                kind(
                    x=points[rows, 0],
                    y=points[rows, 1],
                    mode="markers",
                    name=name if named else "others",
                    legendgroup=name if named else "others",
                    showlegend=place == 1 and (named or not _has_others(figure)),
                    marker={
                        "size": 4,
                        "opacity": 0.6,
                        "color": _COLOURS[frequent.index(name)] if named else NEUTRAL,
                    },
                    hovertemplate=f"{name.replace('<', '&lt;')}<extra></extra>",
                ),
                row=1,
                col=place,
            )
    figure.update_layout(**layout(f"before_after {titles}", height=height) | _ROOM)
    for place in (1, 2):
        bare = axis("", showticklabels=False, zeroline=False)
        figure.update_xaxes(bare, row=1, col=place)
        figure.update_yaxes(bare, row=1, col=place)
    return figure


def crosstab(design: pd.DataFrame, *, height: int | None = None) -> Any:
    """Rows of each batch and label, a cell each; an empty cell is a combination that does not occur.

    design : ``design.table`` of a `BatchReport`.
    """
    import plotly.graph_objects as go

    wide = design.pivot_table(index="batch", columns="label", values="rows", aggfunc="sum")
    figure = go.Figure()
    figure.add_heatmap(
        z=wide.to_numpy(),
        x=[str(name) or "no label" for name in wide.columns],
        y=[str(name) for name in wide.index],
        colorscale="Blues",
        zmin=0,
        xgap=1,
        ygap=1,
        showscale=False,
        text=wide.map(lambda value: "" if np.isnan(value) else f"{value:.0f}").to_numpy(),
        texttemplate="%{text}" if wide.size <= 300 else None,
        hovertemplate="batch %{y}<br>label %{x}<br>%{z} rows<extra></extra>",
    )
    categories = {"type": "category", "showgrid": False}
    figure.update_layout(
        **layout("crosstab", height=height or 140 + 24 * min(len(wide), 24)),
        xaxis=axis("", **categories),
        yaxis=axis("", **categories, autorange="reversed"),
    )
    return figure


def _has_others(figure: Any) -> bool:
    return any(trace.legendgroup == "others" for trace in figure.data)

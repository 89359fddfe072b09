"""The error of every ordered pair of runs under one group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nearid_core.figures.appearance import UNITS, axis, layout, run_labels, run_ticks, scale, short

if TYPE_CHECKING:
    from nearid_core.align import Comparison

WRITTEN = 8  # up to this many runs the values are written into the cells


def pair_heatmap(
    comparison: Comparison, *, group: str = "rigid", space: str = "latent", height: int | None = None
) -> Any:
    """Rows: the reference run; columns: the run mapped onto it. Cells can be clicked: ``customdata`` holds both ids.

    The colours end at the error of predicting the mean, so that a pair as bad as that looks so.

    Raises InvalidInput when this group was not compared in this space.
    """
    import plotly.graph_objects as go

    errors = comparison.pair_matrix(group, space).to_numpy()
    constant = comparison.pair_matrix(group, space, "constant").to_numpy()
    runs = list(comparison.runs)
    names, noun = run_ticks(runs)
    figure = go.Figure()
    figure.add_heatmap(
        x=names,
        y=names,
        z=errors,
        zmin=0,
        zmax=np.nanmax([*errors.flat, *constant.flat]),
        colorscale="Cividis",
        xgap=2,
        ygap=2,
        text=[["" if np.isnan(error) else short(error, 3) for error in row] for row in errors],
        texttemplate="%{text}" if len(runs) <= WRITTEN else None,
        textfont={"size": 12},
        hoverinfo="skip",
        colorbar=scale(f"mean error ({UNITS[space]})"),
    )
    _add_targets(figure, errors, runs, names, UNITS[space])
    categories = {"type": "category", "showgrid": False}
    figure.update_layout(
        **layout(f"pair_heatmap {group} {space}", height=height or 150 + 34 * max(6, min(len(runs), 16))),
        xaxis=axis(f"columns: {noun} that is mapped · rows: reference {noun}", **categories, tickangle=0),
        yaxis=axis("", **categories, autorange="reversed"),
        clickmode="event+select",
        dragmode=False,
    )
    return figure


def _add_targets(figure: Any, errors: np.ndarray, runs: list[str], names: list[str], unit: str) -> None:
    """A heatmap cannot be selected in; invisible points on its cells can."""
    labels = run_labels(runs)
    cells = [(row, column) for row in range(len(runs)) for column in range(len(runs)) if row != column]
    figure.add_scatter(
        x=[names[column] for _, column in cells],
        y=[names[row] for row, _ in cells],
        mode="markers",
        marker={"symbol": "square", "size": 30, "opacity": 0, "color": "white"},
        selected={"marker": {"opacity": 0.35}},
        unselected={"marker": {"opacity": 0}},
        showlegend=False,
        customdata=[
            [runs[row], runs[column], errors[row, column], labels[runs[row]], labels[runs[column]]]
            for row, column in cells
        ],
        hovertemplate="%{customdata[4]} mapped onto %{customdata[3]}<br>"
        f"mean error %{{customdata[2]:.4f}} {unit}<extra></extra>",
    )

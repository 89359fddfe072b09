"""Components against factors: how strongly each goes with each, and what the scores make of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from nearid_core.errors import InvalidInput
from nearid_core.factors.scores import SCORES
from nearid_core.factors.spaces import SPACES
from nearid_core.figures.appearance import (
    BLUE,
    CLEAR,
    NEUTRAL,
    ORANGE,
    STEEL,
    VIOLET,
    axis,
    layout,
    run_labels,
    run_line,
    scale,
    short,
)

if TYPE_CHECKING:
    from nearid_core.factors import FactorReport, SeedReports

MEASURES = {"nmi": "normalised mutual information", "pearson": "|Pearson r|", "spearman": "|Spearman r|"}
WRITTEN = 10  # up to so many factors, and twice as many components, the values are written into the cells
_SPACE_COLOURS = {"raw": STEEL, "pca": BLUE, "random": NEUTRAL, "ica": ORANGE}
_WEBGL_ABOVE = 2_000  # points
POINTS = 2_000


def association_heatmaps(report: FactorReport, measure: str = "nmi", *, height: int | None = None) -> Any:
    """One heatmap a space, on one colour scale: rows are components, columns factors.

    Rows are ordered so that the pairs of the best assignment stand on the diagonal, framed; hatched rows are
    independent components that are not identified. Cells can be clicked: ``customdata`` holds space, component, factor.

    Raises InvalidInput for a measure that there is not.
    """
    from plotly.subplots import make_subplots

    if measure not in MEASURES:
        raise InvalidInput(f"There is no measure {measure!r}; expected one of {', '.join(MEASURES)}.")
    spaces, factors = list(report.settings["spaces"]), list(report.settings["factors"])
    titles = [SPACES[space].title for space in spaces]
    figure = make_subplots(rows=1, cols=len(spaces), subplot_titles=titles, horizontal_spacing=0.035)
    tallest = 0
    for place, space in enumerate(spaces, start=1):
        rows = report.associations[report.associations["space"] == space]
        order = _diagonal_order(rows, factors, measure)
        tallest = max(tallest, len(order))
        _add_heatmap(figure, place, rows, order, factors, measure)
    figure.update_layout(
        **layout(f"association_heatmaps {measure}", height=height or 270 + _row_height(tallest) * tallest),
        coloraxis={
            "cmin": 0,
            "cmax": 1,
            "colorscale": "Cividis",
            "colorbar": scale(MEASURES[measure]) | {"y": 1.1, "len": 0.4},
        },
        clickmode="event+select",
        dragmode=False,
    )
    figure.update_layout(margin={"t": 104})
    return figure


def _diagonal_order(rows: pd.DataFrame, factors: Sequence[str], measure: str) -> list[int]:
    """Components in the order of the factors they are matched to; those without one after them, as they were."""
    pairs = rows[rows[f"{measure}_matched"]].set_index("factor")["component"]
    matched = [int(pairs[factor]) for factor in factors if factor in pairs.index]
    return [*matched, *(int(c) for c in rows["component"].unique() if c not in matched)]


def _add_heatmap(
    figure: Any, place: int, rows: pd.DataFrame, order: list[int], factors: list[str], measure: str
) -> None:
    """Cells lie at whole numbers, so that hatching and frames can be put over them."""
    cells = rows.set_index(["component", "factor"]).loc[
        [(component, factor) for component in order for factor in factors]
    ]
    shape = len(order), len(factors)
    values = cells[measure].to_numpy().reshape(shape)
    written = len(factors) <= WRITTEN and len(order) <= 2 * WRITTEN
    figure.add_heatmap(
        x=list(range(shape[1])),
        y=list(range(shape[0])),
        z=values,
        coloraxis="coloraxis",
        xgap=1,
        ygap=1,
        text=[[short(value, 2) for value in row] for row in values],
        texttemplate="%{text}" if written else None,
        textfont={"size": 11},
        hoverinfo="skip",
        row=1,
        col=place,
    )
    _hatch(figure, place, np.flatnonzero(~cells["identified"].to_numpy(dtype=bool).reshape(shape)[:, 0]), shape[1])
    _frame(figure, place, np.argwhere(cells[f"{measure}_matched"].to_numpy(dtype=bool).reshape(shape)))
    _add_targets(figure, place, cells, shape)
    fixed = {"showgrid": False, "zeroline": False, "fixedrange": True}
    across = {"tickvals": list(range(shape[1])), "ticktext": factors, "range": [-0.5, shape[1] - 0.5], "tickangle": -50}
    down = {"tickvals": list(range(shape[0])), "ticktext": order, "range": [shape[0] - 0.5, -0.5]}
    figure.update_xaxes(**axis("", **fixed, **across), row=1, col=place)
    figure.update_yaxes(**axis("component" if place == 1 else "", **fixed, **down), row=1, col=place)


def _hatch(figure: Any, place: int, rows: np.ndarray, width: int) -> None:
    """A heatmap has no patterns; transparent bars over its rows do."""
    if not len(rows):
        return
    lines = {"shape": "/", "fgcolor": "rgba(255, 255, 255, 0.75)", "fillmode": "overlay", "size": 7, "solidity": 0.16}
    figure.add_bar(
        x=[width] * len(rows),
        y=rows.tolist(),
        base=-0.5,
        width=1,
        orientation="h",
        marker={"color": CLEAR, "line": {"width": 0}, "pattern": lines},
        showlegend=False,
        hoverinfo="skip",
        row=1,
        col=place,
    )


def _frame(figure: Any, place: int, pairs: np.ndarray) -> None:
    """Squares about these (row, column), as one line: a shape for each would take most of the time of the figure."""
    corners = np.array([(-0.5, -0.5), (-0.5, 0.5), (0.5, 0.5), (0.5, -0.5), (-0.5, -0.5), (np.nan, np.nan)])
    path = (pairs[:, None, :] + corners).reshape(-1, 2)
    figure.add_scatter(
        x=path[:, 1],
        y=path[:, 0],
        mode="lines",
        line={"color": ORANGE, "width": 2},
        showlegend=False,
        hoverinfo="skip",
        row=1,
        col=place,
    )


def _add_targets(figure: Any, place: int, cells: pd.DataFrame, shape: tuple[int, int]) -> None:
    """A heatmap cannot be selected in; invisible points on its cells can."""
    down, across = np.indices(shape)
    told = cells.reset_index()
    notes = ["" if known else "<br>not identified" for known in told["identified"]]
    figure.add_scatter(
        x=across.ravel().tolist(),
        y=down.ravel().tolist(),
        mode="markers",
        marker={"symbol": "square", "size": 22, "opacity": 0, "color": "white"},
        selected={"marker": {"opacity": 0.35}},
        unselected={"marker": {"opacity": 0}},
        showlegend=False,
        customdata=[
            [*row, note]
            for row, note in zip(
                told[["space", "component", "factor", *MEASURES]].to_numpy(dtype=object).tolist(), notes, strict=True
            )
        ],
        hovertemplate=f"{SPACES[told['space'].iloc[0]].title}, component %{{customdata[1]}}, %{{customdata[2]}}<br>"
        "NMI %{customdata[3]:.3f} · |r| %{customdata[4]:.3f} · rank |r| %{customdata[5]:.3f}%{customdata[6]}"
        "<extra></extra>",
        row=1,
        col=place,
    )


def _row_height(rows: int) -> int:
    return 34 if rows <= 2 * WRITTEN else 16


def factor_scores(reports: SeedReports, *, height: int = 380) -> Any:
    """Scores by space: bars are means over runs, dots runs, dashes what unrelated factors give.

    With one run the whisker is its 95 % interval; of random rotations it is their range.
    """
    import plotly.graph_objects as go

    summary = reports.summary()
    summary = summary[summary["subset"] == "all"]
    scores = [score for score in SCORES.names() if score in set(summary["score"])]
    titles = [SCORES[score].title for score in scores]
    spaces = [space for space in SPACES.names() if space in set(summary["space"])]
    figure = go.Figure()
    several = len(reports.reports) > 1
    for space in spaces:
        rows = summary[summary["space"] == space].set_index("score").reindex(scores)
        figure.add_bar(
            x=titles,
            y=rows["value"],
            name=SPACES[space].title,
            offsetgroup=space,
            marker={"color": _SPACE_COLOURS.get(space, VIOLET), "opacity": 0.85},
            error_y=_whisker(rows, show=not several or space == "random"),
            customdata=rows[["low", "high", "null_mean", "null_q95"]].to_numpy(),
            hovertemplate="%{x} %{y:.3f} [%{customdata[0]:.3f}, %{customdata[1]:.3f}]<br>unrelated factors "
            "%{customdata[2]:.3f}, 95% below %{customdata[3]:.3f}<extra>" + SPACES[space].title + "</extra>",
        )
    if several:
        _add_seeds(figure, reports, spaces, scores, titles)
    _add_nulls(figure, summary, spaces, scores, titles)
    figure.update_layout(
        **layout("factor_scores", height=height),
        barmode="group",
        scattermode="group",
        bargap=0.25,
        scattergap=0.25,
        xaxis=axis("", showgrid=False, fixedrange=True),
        yaxis=axis("score (1 is best)", range=[min(0.0, float(summary["value"].min()) - 0.02), 1.05]),
    )
    return figure


def _whisker(rows: pd.DataFrame, *, show: bool) -> dict[str, Any]:
    return {
        "type": "data",
        "symmetric": False,
        "array": (rows["high"] - rows["value"]).clip(lower=0),
        "arrayminus": (rows["value"] - rows["low"]).clip(lower=0),
        "visible": show,
        "thickness": 1.2,
        "width": 3,
    }


def _add_seeds(figure: Any, reports: SeedReports, spaces: list[str], scores: list[str], titles: list[str]) -> None:
    table = reports.table[reports.table["subset"] == "all"]
    labels = run_labels(reports.reports)
    for space in spaces:
        for run in reports.reports:
            rows = table[(table["space"] == space) & (table["run"] == run)].set_index("score").reindex(scores)
            figure.add_scatter(
                x=titles,
                y=rows["value"],
                mode="markers",
                offsetgroup=space,
                marker={"size": 6, "color": run_line(run)["color"], "line": {"width": 1, "color": "white"}},
                showlegend=False,
                hovertemplate=f"%{{x}} %{{y:.3f}}<extra>{SPACES[space].title}, {labels[run]}</extra>",
            )


def _add_nulls(figure: Any, summary: pd.DataFrame, spaces: list[str], scores: list[str], titles: list[str]) -> None:
    for space in spaces:
        rows = summary[summary["space"] == space].set_index("score").reindex(scores)
        if rows["null_q95"].isna().all():
            continue
        figure.add_scatter(
            x=titles,
            y=rows["null_q95"],
            mode="markers",
            offsetgroup=space,
            marker={"symbol": "line-ew-open", "size": 16, "color": NEUTRAL, "line": {"width": 2.5}},
            name="unrelated factors, 95% below",
            legendgroup="null",
            showlegend=space == spaces[-1] or (space == "raw" and "ica" not in spaces),
            hovertemplate="%{x}: 95% of permutations below %{y:.3f}<extra>" + SPACES[space].title + "</extra>",
        )


def component_scatter(component: np.ndarray, factor: pd.Series, *, names: tuple[str, str], height: int = 300) -> Any:
    """A component against a factor, one dot a sample.

    component : (n,); factor : (n,), numbers or names (then jittered boxes). names : of the two, for the axes.
    """
    import plotly.graph_objects as go

    figure = go.Figure()
    if pd.api.types.is_numeric_dtype(factor):
        kind = go.Scattergl if len(component) > _WEBGL_ABOVE else go.Scatter
        dots = {"size": 4, "opacity": 0.5, "color": ORANGE}
        figure.add_trace(
            kind(x=factor, y=component, mode="markers", marker=dots, hovertemplate="%{x:.3f}, %{y:.3f}<extra></extra>")
        )
    else:
        figure.add_box(
            x=factor.astype(str),
            y=component,
            boxpoints="all",
            jitter=0.5,
            pointpos=0,
            marker={"size": 3, "opacity": 0.4, "color": ORANGE},
            line={"color": NEUTRAL, "width": 1},
            fillcolor="rgba(0, 0, 0, 0)",
        )
    figure.update_layout(
        **layout(f"component_scatter {names}", height=height),
        xaxis=axis(names[1]),
        yaxis=axis(names[0]),
        showlegend=False,
    )
    return figure

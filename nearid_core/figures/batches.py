"""Components between batch and biology, and what is left when the batch goes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import pandas as pd

from nearid_core.batches.corrected_spaces import SPACES
from nearid_core.batches.cross_batch import POSITION
from nearid_core.batches.kept import KEPT
from nearid_core.errors import InvalidInput
from nearid_core.figures.appearance import BLUE, GREEN, NEUTRAL, ORANGE, PLUM, STEEL, axis, layout

_NO_SPACE = {KEPT: "kept components", POSITION: "well alone"}  # what else a report has rows of
_COLOURS = {"base": STEEL, "pca": BLUE, "pca_ica": ORANGE, "pca_random": NEUTRAL, "kept": GREEN}
_SPREAD = 0.22  # half the width that the dots of a space take


def space_title(space: str) -> str:
    return _NO_SPACE[space] if space in _NO_SPACE else SPACES[space].title


def space_colour(space: str) -> str:
    return _COLOURS.get(space, PLUM)


def component_plane(
    table: pd.DataFrame, drop: Collection[int] = (), *, space: str = "pca_ica", height: int = 460
) -> Any:
    """Every component of a space as a point: eta^2 between labels against eta^2 between batches, held-out.

    table : of a `BatchReport`. Crosses are dropped, open circles are not identified; the grey corner is what permuted
    labels and batches reach (95 percent point, mean over components).

    Raises InvalidInput for a space that is not in the table, or a report without labels.
    """
    import plotly.graph_objects as go

    rows = table[(table["space"] == space) & (table["draw"] == 0)]
    if rows.empty or "eta2_bio" not in rows:
        raise InvalidInput(
            f"There is nothing to draw: no {space_title(space)} components with a biology to hold against."
        )
    rows = rows.assign(dropped=rows["component"].isin(list(drop)))
    figure = go.Figure()
    if {"null_bio", "null_batch"} <= set(rows) and rows["null_batch"].notna().all():
        corner = {"x1": rows["null_bio"].mean(), "y1": rows["null_batch"].mean()}
        figure.add_shape(
            type="rect", x0=0, y0=0, **corner, fillcolor=NEUTRAL, opacity=0.18, line={"width": 0}, layer="below"
        )
    named = space == "pca_ica"
    for dropped, part in rows.groupby("dropped"):
        known = part["identified"] if named else pd.Series(True, part.index)
        open_, solid = ("x-thin-open", "x-thin-open") if dropped else ("circle-open", "circle")
        figure.add_scatter(
            x=part["eta2_bio"],
            y=part["eta2_batch"],
            mode="markers",
            name="dropped" if dropped else "kept",
            marker={
                "symbol": [solid if yes else open_ for yes in known],
                "size": 11,
                "color": ORANGE if dropped else BLUE,
                "line": {"width": 2.2, "color": ORANGE if dropped else BLUE},
            },
            # as lists: an array comes back from a selection as a mapping
            customdata=part[["component", "chosen_eta2_batch", "shared"]].to_numpy().tolist(),
            hovertemplate=(
                "component %{customdata[0]:.0f}<br>biology η² %{x:.3f}<br>batch η² %{y:.3f}"
                "<br>batch η² where it was chosen %{customdata[1]:.3f}<br>shared %{customdata[2]:.3f}<extra></extra>"
            ),
        )
    figure.update_layout(
        **layout(f"component_plane {space}", height=height, showlegend=True, dragmode="lasso"),
        xaxis=axis("biology: η² between labels (held-out)", rangemode="tozero"),
        yaxis=axis("batch: η² between batches (held-out)", rangemode="tozero"),
    )
    return figure


def removal_curves(curves: pd.DataFrame, here: Mapping[str, float] | None = None, *, height: int = 460) -> Any:
    """Biology left against batch left as components are dropped, most batch first; one curve a space.

    curves : of a `BatchReport`. here : ``batch_left`` and ``bio_left`` of a dropped set, to mark. The diagonal is a
    rotation that mixes both; the better a space sets batch apart, the closer its curve comes to the upper left.

    Raises InvalidInput for a report without labels.
    """
    import plotly.graph_objects as go

    if curves.empty:
        raise InvalidInput("There is nothing to draw: without labels there is no biology to lose.")
    figure = go.Figure()
    figure.add_scatter(x=[0, 1], y=[0, 1], mode="lines", line={"color": NEUTRAL, "dash": "dot", "width": 1},
                       hoverinfo="skip", showlegend=False)  # fmt: skip
    for keys, curve in curves.groupby(["space", "draw"], sort=False):
        space, draw = str(keys[0]), keys[1]
        thin = space == "pca_random"
        figure.add_scatter(
            x=[*curve["batch_left"], 0.0],
            y=[*curve["bio_left"], 0.0],
            mode="lines",
            name=space_title(space),
            legendgroup=space,
            showlegend=draw == 0,
            line={"color": space_colour(space), "width": 1 if thin else 2.5},
            customdata=[*curve["dropped"], len(curve)],
            hovertemplate=(
                f"{space_title(space)}: %{{customdata}} dropped<br>batch left %{{x:.1%}}<br>biology left %{{y:.1%}}"
                "<extra></extra>"
            ),
        )
    if here:
        figure.add_scatter(
            x=[here["batch_left"]], y=[here["bio_left"]], mode="markers", showlegend=False, hoverinfo="skip",
            marker={"size": 13, "color": ORANGE, "symbol": "circle-open", "line": {"width": 3}},
        )  # fmt: skip
    figure.update_layout(
        **layout("removal_curves", height=height),
        xaxis=axis("batch variance left (held-out)", range=[-0.02, 1.02], tickformat=".0%"),
        yaxis=axis("biology left (held-out)", range=[-0.02, 1.02], tickformat=".0%"),
    )
    return figure


def auroc_by_space(labels: pd.DataFrame, spaces: pd.DataFrame, penalty: str = "l1", *, height: int = 430) -> Any:
    """Cross-batch AUROC: a dot a label, their mean with its interval, the permuted null, and the well alone.

    labels, spaces : ``cross_batch_labels`` and ``cross_batch`` of a `BatchReport`.

    Raises InvalidInput where no label could be judged.
    """
    import plotly.graph_objects as go

    shown = spaces[(spaces["penalty"] == penalty) | (spaces["space"] == "position")]
    if shown.empty:
        raise InvalidInput("No label could be judged: none occurs, beside its controls, in two batches.")
    figure = go.Figure()
    figure.add_hline(y=0.5, line={"color": NEUTRAL, "dash": "dot", "width": 1})
    rows: list[dict[str, Any]] = shown.to_dict("records")  # type: ignore[assignment]
    for place, row in enumerate(rows):
        part = labels[(labels["space"] == row["space"]) & (labels["penalty"] == row["penalty"])]
        _add_labels(figure, place, part, row)
        _add_mean(figure, place, row)
    figure.update_layout(
        **layout(f"auroc_by_space {penalty}", height=height),
        xaxis=axis(
            "",
            tickvals=list(range(len(rows))),
            ticktext=[space_title(row["space"]).replace(" ", "<br>", 1) for row in rows],
            tickangle=0,
            showgrid=False,
            zeroline=False,
        ),
        yaxis=axis("AUROC on a batch left out", range=[0.35, 1.03]),
    )
    return figure


def _add_labels(figure: Any, place: int, part: pd.DataFrame, row: dict[str, Any]) -> None:
    """A dot a label, side by side."""
    step = 2 * _SPREAD / max(1, len(part) - 1)
    figure.add_scatter(
        x=[place - _SPREAD + step * number for number in range(len(part))] if len(part) > 1 else [place],
        y=part["auroc"],
        mode="markers",
        showlegend=False,
        customdata=part["label"],
        marker={"size": 6, "color": space_colour(row["space"]), "opacity": 0.55},
        hovertemplate=f"%{{customdata}}<br>{space_title(row['space'])}: %{{y:.3f}}<extra></extra>",
    )


def _add_mean(figure: Any, place: int, row: dict[str, Any]) -> None:
    """The mean over labels with its interval, and the null under it."""
    colour, title = space_colour(row["space"]), space_title(row["space"])
    figure.add_scatter(
        x=[place],
        y=[row["auroc"]],
        mode="markers",
        showlegend=False,
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [row["high"] - row["auroc"]],
            "arrayminus": [row["auroc"] - row["low"]],
            "thickness": 2,
            "width": 8,
            "color": colour,
        },
        marker={"size": 34, "symbol": "line-ew-open", "color": colour, "line": {"width": 3}},
        hovertemplate=f"{title}: mean %{{y:.3f}} [{row['low']:.3f}, {row['high']:.3f}]<extra></extra>",
    )
    if row["auroc_permuted"] == row["auroc_permuted"]:  # the well alone has none
        figure.add_scatter(
            x=[place],
            y=[row["auroc_permuted"]],
            mode="markers",
            name="labels permuted within batches",
            legendgroup="null",
            showlegend=place == 0,
            marker={"size": 22, "symbol": "line-ew-open", "color": NEUTRAL, "line": {"width": 2}},
            hovertemplate="labels permuted within batches: %{y:.3f}<extra></extra>",
        )

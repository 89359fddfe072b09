"""Held-out error after the best map of each group: a dot a pair of runs, their mean, and the controls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from nearid_core.errors import InvalidInput
from nearid_core.figures.appearance import (
    CONTROL_LABELS,
    NEUTRAL,
    UNITS,
    axis,
    group_label,
    group_line,
    group_order,
    layout,
    run_labels,
    translucent,
)

if TYPE_CHECKING:
    from nearid_core.align import Comparison

_SPREAD = 0.22  # half the width that a group's dots take
_ROOM = {"l": 64, "r": 116, "t": 16, "b": 32}  # on the right, for the names of the lines
_BESIDE = 0.34  # where a group's own controls stand


def error_by_group(comparison: Comparison, *, space: str = "latent", height: int = 400, brief: bool = False) -> Any:
    """Mean error of every ordered pair by group, in diameters of the reference run.

    Horizontal lines are controls that know nothing of the second run; grey ticks are the same alignment after the
    second run's rows were shuffled. An error is agreement only as far as it lies below them.

    space : "latent", or "component" (whitened).
    brief : for a small card: no legend, no shuffles.

    Raises InvalidInput when the comparison has no rows in this space.
    """
    import plotly.graph_objects as go

    pairs = comparison.table[comparison.table["space"] == space]
    if pairs.empty:
        raise InvalidInput(f"This comparison has no errors in {space} space.")
    summary = comparison.summary()
    summary = summary[summary["space"] == space].set_index("group")
    groups = group_order(pairs["group"])
    unit = UNITS[space]
    figure = go.Figure()
    if not brief:
        _add_shuffles(figure, summary, groups)
    for position, group in enumerate(groups):
        _add_pairs(figure, pairs[pairs["group"] == group], position, unit)
    _add_means(figure, summary, groups, unit)
    _add_lines(figure, summary)
    figure.update_layout(
        **layout(f"error_by_group {space}", height=height, showlegend=not brief) | {"margin": _ROOM},
        xaxis=axis(
            "",
            tickvals=list(range(len(groups))),
            ticktext=[group_label(group).replace(" ", "<br>") for group in groups],
            tickangle=0,
            showgrid=False,
            zeroline=False,
            range=[-0.6, len(groups) - 0.4],
        ),
        yaxis=axis(f"error ({unit})", range=[0, 1.06 * _highest(pairs, summary, brief)]),
    )
    return figure


def _highest(pairs: pd.DataFrame, summary: pd.DataFrame, brief: bool) -> float:
    """The top of the figure. The axis is set, since a jackknife interval may reach below zero and an error cannot."""
    columns = ["constant", "class_mean", "high"] + ([] if brief else ["shuffled", "within_label"])
    return float(max(pairs["mean"].max(), summary[columns].max().max()))


def _add_pairs(figure: Any, pairs: pd.DataFrame, position: int, unit: str) -> None:
    group = pairs["group"].iloc[0]
    labels = run_labels([*pairs["reference"], *pairs["other"]])
    offsets = np.linspace(-_SPREAD, _SPREAD, len(pairs)) if len(pairs) > 1 else np.zeros(1)
    figure.add_scatter(
        x=position + offsets,
        y=pairs["mean"],
        name=group_label(group),
        mode="markers",
        marker={"color": translucent(group_line(group)["color"], 0.55), "size": 7},
        showlegend=False,
        customdata=np.column_stack(
            [
                pairs["reference"].map(labels),
                pairs["other"].map(labels),
                *(pairs[column] for column in ("mean_low", "mean_high", "q95", "r2")),
            ]
        ),
        hovertemplate=(
            f"<b>{group_label(group)}</b>: %{{customdata[1]}} mapped onto %{{customdata[0]}}<br>"
            f"mean error %{{y:.4f}} [%{{customdata[2]:.4f}}, %{{customdata[3]:.4f}}] {unit}<br>"
            "95% of samples within %{customdata[4]:.4f}<br>R² %{customdata[5]:.3f}<extra></extra>"
        ),
    )


def _add_means(figure: Any, summary: pd.DataFrame, groups: list[str], unit: str) -> None:
    for position, group in enumerate(groups):
        row = summary.loc[[group]].iloc[0]
        colour = group_line(group)["color"]
        figure.add_scatter(
            x=[position],
            y=[row["mean"]],
            name=f"{group_label(group)}, mean",
            showlegend=False,
            mode="markers",
            marker={"symbol": "line-ew", "size": 34, "line": {"color": colour, "width": 3}, "color": colour},
            error_y=_interval(row, colour),
            hovertemplate=(
                f"<b>{group_label(group)}</b>, mean over {row['n_pairs']:.0f} pairs<br>"
                f"%{{y:.4f}} [{row['low']:.4f}, {row['high']:.4f}] {unit}<extra></extra>"
            ),
        )


def _interval(row: pd.Series, colour: str) -> dict[str, Any] | None:
    """None for two runs: a jackknife over runs needs three."""
    if np.isnan(row["low"]):
        return None
    above, below = row["high"] - row["mean"], row["mean"] - row["low"]
    sides = {"type": "data", "symmetric": False, "array": [above], "arrayminus": [below]}
    return {**sides, "color": colour, "thickness": 2, "width": 7}


def _add_shuffles(figure: Any, summary: pd.DataFrame, groups: list[str]) -> None:
    for control, symbol in (("shuffled", "x-thin"), ("within_label", "diamond-open")):
        values = summary.loc[groups, control]
        if values.isna().all():
            continue
        figure.add_scatter(
            x=np.arange(len(groups)) + _BESIDE,
            y=values,
            name=f"control: {CONTROL_LABELS[control]}",
            mode="markers",
            marker={"symbol": symbol, "size": 8, "color": NEUTRAL, "line": {"color": NEUTRAL, "width": 2}},
            hovertemplate=f"{CONTROL_LABELS[control]}: %{{y:.4f}}<extra></extra>",
        )


def _add_lines(figure: Any, summary: pd.DataFrame) -> None:
    """The two controls that do not depend on the group, as lines across with their name at the right end."""
    values = {control: float(summary[control].mean()) for control in ("constant", "class_mean")}
    known = {control: value for control, value in values.items() if not np.isnan(value)}
    highest = max(known.values())
    for control, value in known.items():
        figure.add_hline(
            y=value, line={"color": NEUTRAL, "dash": "dash" if control == "constant" else "dot", "width": 1.5}
        )
        figure.add_annotation(
            text=f"{CONTROL_LABELS[control]}<br>{value:.3f}",
            font={"size": 12},
            align="left",
            xref="paper",
            x=1.005,
            xanchor="left",
            y=value,
            yanchor="bottom" if value == highest else "top",  # apart, also where the lines are close
            showarrow=False,
        )

"""The share of held-out samples whose error is at most epsilon, against epsilon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from nearid_core.errors import InvalidInput
from nearid_core.figures.appearance import (
    CLEAR,
    NEUTRAL,
    UNITS,
    axis,
    group_label,
    group_line,
    group_order,
    layout,
    translucent,
)

if TYPE_CHECKING:
    from nearid_core.align import Comparison

LEVEL = 0.95
FOLDED = frozenset({"permutation", "similarity", "whitened_rigid"})  # near others; a click on their name shows them

# Below the curves, where the figure is empty.
_INSIDE = {"orientation": "v", "x": 1, "xanchor": "right", "y": 0.02, "yanchor": "bottom", "bgcolor": CLEAR}


def epsilon_profile(
    comparison: Comparison, *, space: str = "latent", groups: Sequence[str] | None = None, height: int = 400
) -> Any:
    """One curve a group (mean over ordered pairs) with a band from the worst pair to the best; a dot marks epsilon_95.

    The dot stands right of its curve: it is the largest 95% quantile over the pairs, not the mean curve's.

    groups : those to draw (default: all; a few that lie close to others are folded away until their name is clicked).

    Raises InvalidInput when the comparison has no profile in this space.
    """
    import plotly.graph_objects as go

    profile = comparison.epsilon_profile(space)
    shown = group_order(profile["group"]) if groups is None else group_order(groups)
    profile = profile[profile["group"].isin(shown)]
    if profile.empty:
        raise InvalidInput(f"This comparison has no epsilon profile in {space} space.")
    summary = comparison.summary()
    summary = summary[summary["space"] == space].set_index("group")
    unit = UNITS[space]
    figure = go.Figure()
    for group in shown:
        curve = profile[profile["group"] == group]
        _add_band(figure, curve, group)
        _add_curve(figure, curve, group, unit)
    for group in shown:
        _add_epsilon(figure, summary.loc[group], group, unit)
    figure.add_hline(y=LEVEL, line={"color": NEUTRAL, "dash": "dash", "width": 1.5})
    figure.update_layout(
        **layout(f"epsilon_profile {space}", height=height, showlegend=True) | {"legend": _INSIDE},
        xaxis=axis(f"ε ({unit})", rangemode="tozero"),
        yaxis=axis("samples with error ≤ ε", range=[0, 1.02], tickformat=".0%", tickvals=[0, 0.25, 0.5, 0.75, LEVEL]),
    )
    return figure


def _visible(group: str) -> bool | str:
    return "legendonly" if group in FOLDED else True


def _add_band(figure: Any, curve: pd.DataFrame, group: str) -> None:
    figure.add_scatter(
        x=[*curve["epsilon"], *curve["epsilon"][::-1]],
        y=[*curve["high"], *curve["low"][::-1]],
        name=group_label(group),
        legendgroup=group,
        showlegend=False,
        visible=_visible(group),
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor=translucent(group_line(group)["color"], 0.14),
        hoverinfo="skip",
    )


def _add_curve(figure: Any, curve: pd.DataFrame, group: str, unit: str) -> None:
    figure.add_scatter(
        x=curve["epsilon"],
        y=curve["fraction"],
        name=group_label(group),
        legendgroup=group,
        visible=_visible(group),
        mode="lines",
        line=group_line(group) | {"width": 2.5},
        hovertemplate=f"<b>{group_label(group)}</b><br>%{{y:.1%}} of samples within %{{x:.4f}} {unit}<extra></extra>",
    )


def _add_epsilon(figure: Any, row: pd.Series, group: str, unit: str) -> None:
    figure.add_scatter(
        x=[row["epsilon_95"]],
        y=[LEVEL],
        name=f"ε₉₅ {group_label(group)}",
        legendgroup=group,
        showlegend=False,
        visible=_visible(group),
        mode="markers",
        marker={"color": group_line(group)["color"], "size": 9},
        hovertemplate=(
            f"<b>{group_label(group)}</b>: ε₉₅ %{{x:.4f}} [{row['epsilon_95_low']:.4f}, "
            f"{row['epsilon_95_high']:.4f}] {unit}<br>the largest over all pairs<extra></extra>"
        ),
    )

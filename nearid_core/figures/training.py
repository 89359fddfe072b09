"""Training loss against step, one line a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from nearid_core.errors import InvalidInput
from nearid_core.figures.appearance import axis, layout, run_labels, run_line

if TYPE_CHECKING:
    from nearid_core.progress import Progress
    from nearid_core.runs import Run


def training_curves(runs: Sequence[Run] | Mapping[str, pd.DataFrame], *, height: int = 320) -> Any:
    """Loss of each run on a logarithmic axis.

    runs : runs with a history, or run id to history (columns ``step`` and ``loss``).

    Raises InvalidInput when no run has a positive loss to draw.
    """
    histories = runs if isinstance(runs, Mapping) else {run.id: run.history for run in runs}
    return _curves(histories, "training step", None, height)


def live_loss(reports: Sequence[Progress], *, set_id: str, height: int = 320) -> Any:
    """Loss so far of seeds in training. The axis spans the whole training, so that the lines fill it up.

    reports : what a train job has reported so far; ``detail["loss"]`` maps seed to loss.
    set_id : the set that the runs will belong to, for their colours.

    Raises InvalidInput before the first loss.
    """
    points = pd.DataFrame(
        [
            {"run": f"{set_id}-s{seed}", "step": report.done, "loss": loss}
            for report in reports
            for seed, loss in report.detail.get("loss", {}).items()
            if loss is not None
        ],
        columns=["run", "step", "loss"],
    )
    total = reports[-1].total if reports else None
    return _curves(dict(iter(points.groupby("run", sort=False))), "training step", total, height)


def _curves(histories: Mapping[str, pd.DataFrame], title: str, total: int | None, height: int) -> Any:
    import plotly.graph_objects as go

    positive = {run_id: history[history["loss"] > 0] for run_id, history in histories.items()}
    drawable = {run_id: history for run_id, history in positive.items() if len(history)}
    if not drawable:
        raise InvalidInput("No loss has been recorded yet.")
    figure = go.Figure()
    for run_id, label in run_labels(drawable).items():
        history = drawable[run_id]
        figure.add_scatter(
            x=history["step"],
            y=history["loss"],
            name=label,
            mode="lines+markers" if len(history) < 3 else "lines",
            line=run_line(run_id) | {"width": 2},
            hovertemplate=f"<b>{label}</b><br>step %{{x:,}}<br>loss %{{y:.5g}}<extra></extra>",
        )
    figure.update_layout(
        **layout("training_curves", height=height, showlegend=True),
        xaxis=axis(title, range=None if total is None else [0, total]),
        yaxis=axis("training loss", type="log", dtick=_ticks(drawable)),
    )
    return figure


def _ticks(histories: Mapping[str, pd.DataFrame]) -> str | int:
    """Over less than two powers of ten, ticks at 1, 2 and 5 as well: else the axis may carry a single number."""
    lowest = min(history["loss"].min() for history in histories.values())
    highest = max(history["loss"].max() for history in histories.values())
    return "D2" if highest < 100 * lowest else 1

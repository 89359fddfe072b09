"""Which independent components of one run come back in the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from nearid_core.errors import InvalidInput
from nearid_core.figures.appearance import axis, layout, run_labels
from nearid_core.registry import unknown

if TYPE_CHECKING:
    from nearid_core.align import Comparison

WRITTEN = 12  # up to this many runs and components the values are written into the cells


def returning_components(comparison: Comparison, reference: str | None = None, *, height: int | None = None) -> Any:
    """Rows: the components of the reference run, by contrast; columns: the other runs; cells: held-out |correlation|
    with the partner there. A tick marks those that count as returned; unidentified components are named so.

    reference : a run of the comparison (default: the first).

    Raises InvalidInput when the run was not compared.
    """
    import plotly.graph_objects as go

    reference = comparison.runs[0] if reference is None else reference
    rows = comparison.components[comparison.components["reference"] == reference]
    if rows.empty:
        raise InvalidInput(unknown("run of this comparison", reference, comparison.runs))
    labels = run_labels(comparison.runs)
    r, null, returns = (
        rows.pivot_table(index="component", columns="other", values=column, aggfunc="first", sort=False)
        for column in ("r", "null_r", "returns")
    )
    identified = rows.drop_duplicates("component").set_index("component")["identified"]
    names = [f"{component + 1}" + ("" if identified[component] else " unidentified") for component in r.index]
    figure = go.Figure()
    figure.add_heatmap(
        x=[labels[other] for other in r.columns],
        y=names,
        z=r.to_numpy(),
        zmin=0,
        zmax=1,
        colorscale="Cividis",
        xgap=2,
        ygap=2,
        text=_written(r, returns),
        texttemplate="%{text}" if r.size <= WRITTEN**2 else None,
        textfont={"size": 13},
        customdata=null.to_numpy(),
        hovertemplate=(
            f"component %{{y}} of {labels[reference]} in %{{x}}<br>held-out |r| %{{z:.4f}}"
            "<br>shuffled rows reach %{customdata:.4f} (95% point)<extra></extra>"
        ),
        colorbar={"title": {"text": "held-out |r|", "side": "right"}, "thickness": 14, "outlinewidth": 0},
    )
    figure.update_layout(
        **layout(f"returning_components {reference}", height=height or 110 + 30 * max(5, min(len(r), 20))),
        xaxis=axis("other run", type="category", showgrid=False, tickangle=0),
        yaxis=axis(f"component of {labels[reference]}", type="category", showgrid=False, autorange="reversed"),
    )
    return figure


def _written(r: pd.DataFrame, returns: pd.DataFrame) -> np.ndarray:
    marked = returns.to_numpy(dtype=bool)
    return np.array(
        [
            [f"✓ {value:.2f}" if back else f"{value:.2f}" for value, back in zip(*row, strict=True)]
            for row in zip(r.to_numpy(), marked, strict=True)
        ]
    )

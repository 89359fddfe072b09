"""Which independent components of one run come back in the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from nearid_core.errors import InvalidInput
from nearid_core.figures.appearance import axis, layout, run_ticks, scale, short
from nearid_core.registry import unknown

if TYPE_CHECKING:
    from nearid_core.align import Comparison

WRITTEN = 12  # up to this many runs and components the values are written into the cells


def returning_components(comparison: Comparison, reference: str | None = None, *, height: int | None = None) -> Any:
    """Rows: components of the reference run, by contrast, a star at the unidentified; columns: the other runs; cells:
    held-out |correlation| with the partner there, bold where the component counts as returned.

    reference : a run of the comparison (default: the first).

    Raises InvalidInput when the run was not compared.
    """
    import plotly.graph_objects as go

    reference = comparison.runs[0] if reference is None else reference
    rows = comparison.components[comparison.components["reference"] == reference]
    if rows.empty:
        raise InvalidInput(unknown("run of this comparison", reference, comparison.runs))
    r, null, returns = (
        rows.pivot_table(index="component", columns="other", values=column, aggfunc="first", sort=False)
        for column in ("r", "null_r", "returns")
    )
    ticks, noun = run_ticks(comparison.runs)
    names = dict(zip(comparison.runs, ticks, strict=True))
    identified = rows.drop_duplicates("component")["identified"]
    figure = go.Figure()
    figure.add_heatmap(
        x=[names[other] for other in r.columns],
        y=[f"{component}{'' if known else ' *'}" for component, known in zip(r.index, identified, strict=True)],
        z=r.to_numpy(),
        zmin=0,
        zmax=1,
        colorscale="Cividis",
        xgap=2,
        ygap=2,
        text=_written(r, returns),
        texttemplate="%{text}" if r.size <= WRITTEN**2 else None,
        textfont={"size": 12},
        customdata=null.to_numpy(),
        hovertemplate=(
            f"component %{{y}} of {noun} {names[reference]} in {noun} %{{x}}<br>held-out |r| %{{z:.4f}}"
            "<br>shuffled rows reach %{customdata:.4f} (95% point)<extra></extra>"
        ),
        colorbar=scale("held-out |r|"),
    )
    categories = {"type": "category", "showgrid": False}
    figure.update_layout(
        **layout(f"returning_components {reference}", height=height or 150 + 28 * max(5, min(len(r), 20))),
        xaxis=axis(f"columns: other {noun} · rows: component of {noun} {names[reference]}", **categories, tickangle=0),
        yaxis=axis("", **categories, autorange="reversed"),
    )
    return figure


def _written(r: pd.DataFrame, returns: pd.DataFrame) -> list[list[str]]:
    marked = zip(r.to_numpy(), returns.to_numpy(dtype=bool), strict=True)
    return [
        [f"<b>{short(value, 2)}</b>" if back else short(value, 2) for value, back in zip(*row, strict=True)]
        for row in marked
    ]

"""A figure as every page shows it: what it is, the numbers behind it, and itself as an image."""

from collections.abc import Callable
from typing import Any

import pandas as pd
import streamlit as st

from nearid_core.errors import InvalidInput
from nearid_core.exchange.formulas import without_formulas

_FORMAT, _TABLE = "image_format", "table_format"
_TABLES: dict[str, tuple[Callable[[pd.DataFrame], str | bytes], str]] = {
    "CSV": (lambda table: without_formulas(table).to_csv(index=False), "text/csv"),
    "parquet": (lambda table: table.to_parquet(index=False), "application/vnd.apache.parquet"),
}


def chart(
    draw: Callable[[], Any],
    *,
    key: str,
    about: str,
    alt: str,
    table: pd.DataFrame | None = None,
    content: tuple[str, ...] | None = None,
    clickable: bool = False,
    lasso: bool = False,
) -> Any:
    """Draw a figure with its table as CSV and a line on what it shows.

    draw : makes the figure; when it has nothing to draw, its InvalidInput stands in the figure's place.
    about : one line in plain words, with the source.
    alt : the figure in one sentence, for those who do not see it.
    content : digests of what is drawn, where the figure of this key is worth keeping: making one takes 30 to 100 ms.
    clickable, lasso : points can be selected, one by one or by drawing around them, and the selection is returned.
    """
    select = clickable or lasso
    try:
        figure = draw() if content is None else _kept(key, content, draw)
    except InvalidInput as nothing:
        st.info(str(nothing), icon=":material/hide_image:")
        return None
    selection = st.plotly_chart(
        figure,
        width="stretch",
        key=key,
        alt=alt,
        config=_mode_bar(key, lasso=lasso),
        **(_selecting(lasso) if select else {}),
    )
    st.caption(about)
    if table is not None:
        download(table, key)
    return selection if select else None


@st.cache_resource(max_entries=128, show_spinner=False)
def _kept(key: str, content: tuple[str, ...], _draw: Callable[[], Any]) -> Any:
    return _draw()


def download(table: pd.DataFrame, key: str) -> None:
    kind = st.session_state.get(_TABLE) or "CSV"
    write, mime = _TABLES[kind]
    st.download_button(
        kind,
        lambda: write(table),
        file_name=f"{key}.{kind.lower()}",
        mime=mime,
        key=f"{key}_{kind.lower()}",
        on_click="ignore",
        icon=":material/download:",
        type="tertiary",
        help="The numbers behind this, unrounded.",
    )


def image_format() -> None:
    """Which kind of image the camera above each figure saves."""
    st.segmented_control(
        "Save figures as",
        ["PNG", "SVG"],
        default="PNG",
        required=True,
        key=_FORMAT,
        persist_state="session",
        help="What the camera button above a figure saves: PNG for slides (at three times the size), SVG for print.",
    )


def table_format() -> None:
    """What the button below each figure saves its numbers as."""
    st.segmented_control(
        "Save tables as",
        list(_TABLES),
        default="CSV",
        required=True,
        key=_TABLE,
        persist_state="session",
        help="What the button below a figure saves: CSV opens everywhere, parquet keeps the types of its columns.",
    )


def _selecting(lasso: bool) -> dict[str, Any]:
    return {"on_select": "rerun", "selection_mode": ("points", "lasso", "box") if lasso else "points"}


def _mode_bar(name: str, *, lasso: bool = False) -> dict[str, Any]:
    kind = (st.session_state.get(_FORMAT) or "PNG").lower()
    return {
        "displaylogo": False,
        "modeBarButtonsToRemove": [*([] if lasso else ["select2d", "lasso2d"]), "autoScale2d", "zoomIn2d", "zoomOut2d"],
        "toImageButtonOptions": {"format": kind, "filename": name, "scale": 3 if kind == "png" else 1},
    }

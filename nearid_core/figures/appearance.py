"""How a run and a group look, on every figure alike, and what all figures share.

Eight colours, chosen so that any two stay apart (CIELAB distance above 19) for readers with and without a colour vision
deficiency, and each has a contrast of 2.9 or more against both the light and the dark background.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from typing import Any

BLUE, ORANGE, GREEN, STEEL = "#076DAA", "#D55A06", "#039A6F", "#7297BC"
BROWN, LAVENDER, PLUM, VIOLET = "#8D503B", "#8F78EA", "#83527B", "#AB31F7"
NEUTRAL = "#808080"  # controls: visible on light and dark
GRID = "rgba(128, 128, 128, 0.25)"
CLEAR = "rgba(0, 0, 0, 0)"

# From the smallest group to the largest. `ica` stands between the two it is measured against, followed by its ceiling
# in latent space (MATH, section 4).
GROUP_LABELS = {
    "identity": "identity",
    "permutation": "permutation",
    "signed_permutation": "signed permutation",
    "ica": "ICA",
    "whitened_rigid": "whitened rigid",
    "rigid": "rigid",
    "similarity": "similarity",
    "linear": "linear",
}
UNITS = {"latent": "latent diameters", "component": "component-space diameters"}
CONTROL_LABELS = {
    "constant": "predict the mean",
    "class_mean": "predict class mean",
    "shuffled": "rows shuffled",
    "within_label": "shuffled within class",
}

_GROUP_COLOURS = {
    "identity": PLUM,
    "permutation": LAVENDER,
    "signed_permutation": BLUE,
    "ica": ORANGE,
    "whitened_rigid": BROWN,
    "rigid": GREEN,
    "similarity": STEEL,
    "linear": VIOLET,
}
_GROUP_DASHES = {"permutation": "dot", "similarity": "dash", "whitened_rigid": "dashdot"}
_RUN_COLOURS = (BLUE, ORANGE, GREEN, VIOLET, BROWN, STEEL, PLUM, LAVENDER)
_RUN_DASHES = ("solid", "dash", "dot", "dashdot")
_SEED = re.compile(r"^(.*)-s(\d+)$")


def group_order(groups: Iterable[str]) -> list[str]:
    """The groups present, smallest first; unknown ones last, as they came."""
    present = list(dict.fromkeys(groups))
    return [*(group for group in GROUP_LABELS if group in present), *(g for g in present if g not in GROUP_LABELS)]


def group_label(group: str) -> str:
    return GROUP_LABELS.get(group, group.replace("_", " "))


def group_line(group: str) -> dict[str, Any]:
    return {"color": _GROUP_COLOURS.get(group, NEUTRAL), "dash": _GROUP_DASHES.get(group, "solid")}


def run_line(run_id: str) -> dict[str, Any]:
    """Colour and dash of a run: by its seed, so that it keeps them on every page and next to any other run."""
    named = _SEED.match(run_id)
    number = int(named[2]) if named else zlib.crc32(run_id.encode())
    dash = _RUN_DASHES[number // len(_RUN_COLOURS) % len(_RUN_DASHES)]
    return {"color": _RUN_COLOURS[number % len(_RUN_COLOURS)], "dash": dash}


def run_labels(run_ids: Iterable[str]) -> dict[str, str]:
    """Short names: "seed 3" while the runs differ in nothing else, the id where they do."""
    named = {run_id: _SEED.match(run_id) for run_id in dict.fromkeys(run_ids)}
    families = {match[1] if match else None for match in named.values()}
    if None in families or len(families) > 1:
        return {run_id: run_id for run_id in named}
    return {run_id: f"seed {match[2]}" for run_id, match in named.items() if match}


def run_ticks(run_ids: Iterable[str]) -> tuple[list[str], str]:
    """Names for the ticks of an axis of runs, as short as can be, and what they are: ("seed" or "run")."""
    labels = list(run_labels(run_ids).values())
    if all(label.startswith("seed ") for label in labels):
        return [label.removeprefix("seed ") for label in labels], "seed"
    return labels, "run"


def short(value: float, digits: int) -> str:
    """A number for a cell of a heatmap: ``.074``."""
    return f"{value:.{digits}f}".replace("0.", ".", 1)


def translucent(colour: str, opacity: float) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity})"


def layout(name: str, *, height: int, **more: Any) -> dict[str, Any]:
    """What every figure shares. Text takes the colour of the template in force (Streamlit's, a notebook's).

    name : a zoom or a hidden trace survives a redraw of the figure of this name.
    """
    return {
        "height": height,
        "uirevision": name,
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
        "font": {"size": 14},
        "margin": {"l": 64, "r": 24, "t": 16, "b": 32},
        "hovermode": "closest",
        "legend": {
            "orientation": "h",
            "yanchor": "bottom",
            "y": 1.02,
            "xanchor": "left",
            "x": 0,
            "title": {"text": ""},
        },
        **more,
    }


def scale(title: str) -> dict[str, Any]:
    """A colour scale above the figure: at its side it would take the width that the cells need."""
    return {
        "title": {"text": title, "side": "top", "font": {"size": 13}},
        "tickfont": {"size": 12},
        "orientation": "h",
        "thickness": 12,
        "y": 1.02,
        "yanchor": "bottom",
        "outlinewidth": 0,
    }


def axis(title: str, **more: Any) -> dict[str, Any]:
    return {
        "title": {"text": title, "font": {"size": 14}, "standoff": 10},
        "tickfont": {"size": 13},
        "gridcolor": GRID,
        "zerolinecolor": GRID,
        "automargin": True,
        **more,
    }

"""Images in rows, such as inputs above what a model makes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nearid_core.errors import InvalidInput
from nearid_core.figures.appearance import CLEAR, axis, layout

_GAP = 1  # pixels between images


def image_rows(
    rows: Mapping[str, np.ndarray], *, captions: Sequence[str] | None = None, height: int | None = None
) -> Any:
    """One row of images a name, the columns aligned.

    rows : name to (n, channels, height, width) in [0, 1], the same n for all; one channel is grey, three are colours.
    captions : n words below the columns.

    Raises InvalidInput when there is no image.
    """
    import plotly.graph_objects as go

    if not rows or any(len(images) == 0 for images in rows.values()):
        raise InvalidInput("There are no images to show.")
    shape = next(iter(rows.values())).shape
    tall, wide = shape[2] + _GAP, shape[3] + _GAP
    figure = go.Figure()
    figure.add_image(z=_mosaic(list(rows.values())), colormodel="rgba256", hoverinfo="skip")
    figure.update_layout(
        **layout("image_rows", height=height or 60 + 84 * len(rows)) | {"margin": {"l": 8, "r": 8, "t": 8, "b": 8}},
        xaxis=_bare("", tickvals=[column * wide + shape[3] / 2 for column in range(shape[0])], ticktext=captions or []),
        yaxis=_bare("", tickvals=[row * tall + shape[2] / 2 for row in range(len(rows))], ticktext=list(rows)),
        dragmode=False,
    )
    return figure


def _mosaic(rows: list[np.ndarray]) -> np.ndarray:
    """(rows * height, columns * width, 4) uint8; transparent between the images."""
    count, _, height, width = rows[0].shape
    tall, wide = height + _GAP, width + _GAP
    canvas = np.zeros((len(rows) * tall - _GAP, count * wide - _GAP, 4), np.uint8)
    for row, images in enumerate(rows):
        coloured = np.broadcast_to(images, (count, 3, height, width))
        for column, image in enumerate(coloured):
            top, left = row * tall, column * wide
            canvas[top : top + height, left : left + width, :3] = np.rint(255 * np.clip(image, 0, 1)).transpose(1, 2, 0)
            canvas[top : top + height, left : left + width, 3] = 255
    return canvas


def _bare(title: str, **more: Any) -> dict[str, Any]:
    return axis(title, showgrid=False, zeroline=False, showline=False, ticks="", linecolor=CLEAR, **more)

"""A layer's numbers, gathered in a file of their own before the run is whole."""

from __future__ import annotations

import os

import numpy as np

from nearid_core.exchange.runs_of_files import Planned
from nearid_core.progress import Progress, ProgressCallback
from nearid_core.runs import RunWriter


def stage(run: Planned, layer: str, writer: RunWriter, on_progress: ProgressCallback) -> np.ndarray:
    """(N, D), memory-mapped from the writer's folder; it goes with that folder when the run is published."""
    shape = run.shape(layer)
    file = writer.folder / f"layer-{list(run.layers).index(layer)}.raw"
    size = shape[0] * shape[1] * run.dtype(layer).itemsize
    with file.open("wb") as opened:
        if hasattr(os, "posix_fallocate"):  # where the disk fills up, this is an error; writing to the map would crash
            os.posix_fallocate(opened.fileno(), 0, size)
        opened.truncate(size)
    values = np.memmap(file, run.dtype(layer), "r+", shape=shape)
    done = 0
    for piece in run.layers[layer]:
        start = 0
        for block in piece.layer.blocks():
            target = piece.rows[start : start + len(block)]
            stays = target >= 0
            values[target[stays]] = block if stays.all() else block[stays]
            start += len(block)
            done += int(stays.sum())
            writer.heartbeat()
            on_progress(Progress("Writing", done, shape[0], 0.0))
    values.flush()
    return np.memmap(file, values.dtype, "r", shape=shape)

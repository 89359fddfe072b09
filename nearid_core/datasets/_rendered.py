"""What the rendered datasets share: factors drawn by a law or on levels, and images of them in blocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from nearid_core.datasets.dataset import Dataset
from nearid_core.datasets.nonlinear_mixing import LAWS
from nearid_core.datasets.split import split_column
from nearid_core.options import Option

TEST_SHARE = 0.45  # as of the digits
BLOCK = 64  # images rendered at once: what is in between stays in the processor's cache

# Standard deviations of a law from the middle of a factor's range to its ends. The first two have ends of their own;
# of the others, 1 draw in 2,000 (gaussian) and 1 in 140 (laplace) lies beyond and is set to the end.
REACH = {"uniform": np.sqrt(3.0), "arcsine": np.sqrt(2.0), "gaussian": 3.5, "laplace": 3.5}

Render = Callable[[np.ndarray], np.ndarray]  # (n, factors) in [0, 1] to (n, channels, side, side) float32 in [0, 1]

LAW = Option(
    "law",
    "uniform",
    str,
    "How each factor is distributed over its range; ICA cannot find gaussian ones. Laplace and gaussian reach 3.5 "
    "standard deviations and are clipped there.",
    choices=tuple(REACH),
)
LEVELS = Option(
    "levels",
    None,
    int,
    "How many equally spaced values each factor has; under the uniform law they are equally frequent. Empty: all.",
    2,
    1000,
    optional=True,
)
ENERGY = Option(
    "energy",
    "natural",
    str,
    "equal narrows the ranges of factors that change many pixels, until each causes as much pixel variance as the "
    "weakest; a weak factor is then less easily left unlearned.",
    choices=("natural", "equal"),
)


def draw_factors(rng: np.random.Generator, n: int, law: str, levels: Sequence[int | None]) -> np.ndarray:
    """(n, factors) in [0, 1]; the first rows are the same whatever n is.

    levels : of each factor; None where it is continuous.
    """
    drawn = LAWS[law](rng, (n, len(levels)))
    factors = np.clip(0.5 + drawn / (2 * REACH[law]), 0, 1)
    for j, count in enumerate(levels):
        if count is not None:
            factors[:, j] = np.minimum(np.floor(factors[:, j] * count), count - 1) / (count - 1)
    return factors


def render_in_blocks(render: Render, factors: np.ndarray) -> np.ndarray:
    """The images of all rows.

    Every block is rendered whole, the last one too: matrix products of another height may round otherwise.
    """
    images = []
    for start in range(0, len(factors), BLOCK):
        here = factors[start : start + BLOCK].astype(np.float32)
        whole = np.concatenate([here, np.full((BLOCK - len(here), here.shape[1]), 0.5, np.float32)])
        images.append(render(whole)[: len(here)])
    return np.concatenate(images)


def rendered_dataset(
    name: str,
    render: Render,
    levels: Mapping[str, int | None],
    settings: Mapping[str, Any],
) -> Dataset:
    """Factors and their images; levels : of each factor, by its name; settings : with n, data_seed and law."""
    n, data_seed = settings["n"], settings["data_seed"]
    factors = draw_factors(np.random.default_rng(data_seed), n, settings["law"], list(levels.values()))
    images = render_in_blocks(render, factors)
    ids = [f"{name}-{row:06d}" for row in range(n)]
    known = {"sample_id": ids, "split": split_column(ids, data_seed, TEST_SHARE)}
    return Dataset(
        name=name,
        features=images.reshape(n, -1),
        samples=pd.DataFrame(known | dict(zip(levels, factors.T, strict=True))),
        factor_names=tuple(levels),
        image_shape=(images.shape[1], images.shape[2], images.shape[3]),
        options=dict(settings),
    )

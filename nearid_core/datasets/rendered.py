"""Images rendered from independent factors: what produced each pixel is known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from nearid_core.datasets import _render_balanced, _render_scene, _render_sprites
from nearid_core.datasets._factor_laws import draw_factors
from nearid_core.datasets._render_balanced import render_balanced_scene
from nearid_core.datasets._render_scene import render_scene
from nearid_core.datasets._render_sprites import render_sprites
from nearid_core.datasets.dataset import DATA_SEED, DATASETS, Dataset
from nearid_core.datasets.nonlinear_mixing import LAWS
from nearid_core.datasets.split import split_column
from nearid_core.options import Option

TEST_SHARE = 0.4
BLOCK = 512  # samples drawn from one random state: the first ones are the same however many there are
SIZE = 6000

Render = Callable[..., np.ndarray]
"""(n, factors) in [0, 1], and what a dataset declares beside, to (n, channels, side, side) float32 in [0, 1]."""


@dataclass(frozen=True)
class Rendered:
    """factors : their names, in the renderer's order; own_options : those that go to `render` by name."""

    name: str
    description: str
    factors: tuple[str, ...]
    image_shape: tuple[int, int, int]
    render: Render
    own_options: tuple[Option, ...] = ()
    default_epochs: int = 100  # 2,900 steps of 128 at the usual 6,000 samples

    @property
    def options(self) -> tuple[Option, ...]:
        return (
            Option("n", SIZE, int, "Images rendered; 40% of them are held back.", 50, 1_000_000),
            DATA_SEED,
            Option(
                "law",
                "uniform",
                str,
                "How each factor is distributed over its range; of gaussian ones ICA cannot find the axes.",
                choices=tuple(sorted(LAWS)),
            ),
            Option(
                "levels",
                None,
                int,
                "Values that each factor has, equally far apart. Empty: all of its range.",
                2,
                1000,
                optional=True,
            ),
            *self.own_options,
        )

    def load(self, *, n: int | None, data_seed: int, **options: Any) -> Dataset:
        count = SIZE if n is None else n
        law, levels = options["law"], options["levels"]
        render = partial(self.render, **{option.name: options[option.name] for option in self.own_options})
        factors = np.empty((count, len(self.factors)))
        images = np.empty((count, *self.image_shape), np.float32)
        for start in range(0, count, BLOCK):
            rng = np.random.default_rng([data_seed, 1 + start // BLOCK])
            drawn = draw_factors(rng, (BLOCK, len(self.factors)), law, levels)[: count - start]
            factors[start : start + BLOCK] = drawn
            images[start : start + BLOCK] = render(drawn)
        ids = [f"{self.name}-{row:07d}" for row in range(count)]
        samples = {"sample_id": ids, "split": split_column(ids, data_seed, TEST_SHARE)}
        return Dataset(
            name=self.name,
            features=images.reshape(count, -1),
            samples=pd.DataFrame(samples | dict(zip(self.factors, factors.T, strict=True))),
            factor_names=self.factors,
            image_shape=self.image_shape,
            options={"n": count, "data_seed": data_seed, **options},
        )


SPRITES = DATASETS.register(
    Rendered(
        "sprites",
        "one white shape of known place, size, orientation and roundness, 32 x 32 pixels",
        _render_sprites.FACTORS,
        (1, _render_sprites.SIDE, _render_sprites.SIDE),
        render_sprites,
    )
)
SCENE = DATASETS.register(
    Rendered(
        "scene",
        "a ray-cast room with an object, 3 x 32 x 32 pixels; six known factors, as in Shapes3D",
        _render_scene.FACTORS,
        (3, _render_scene.SIDE, _render_scene.SIDE),
        render_scene,
        (
            Option(
                "hue_range",
                1.0,
                float,
                "Part of the colour circle that hues cover; over about .4 no straight line of latents holds a hue.",
                0.01,
                1.0,
            ),
            Option(
                "shape",
                "discrete",
                str,
                "discrete: four solids; continuous: an ellipsoid from flat to tall.",
                choices=("discrete", "continuous"),
            ),
            Option(
                "energy",
                "natural",
                str,
                "equal shortens the hues' arcs until every factor moves the pixels about as much.",
                choices=("natural", "equal"),
            ),
        ),
    )
)
BALANCED_SCENE = DATASETS.register(
    Rendered(
        "balanced_scene",
        "a constructed favourable case: a room whose six known factors move the pixels about equally, 3 x 32 x 32",
        _render_balanced.FACTORS,
        (3, _render_balanced.SIDE, _render_balanced.SIDE),
        render_balanced_scene,
    )
)

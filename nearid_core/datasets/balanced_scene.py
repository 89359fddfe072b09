"""A picture built so that components can be found: a positive control, not a benchmark."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nearid_core.datasets._balanced_scene_render import FACTORS, render
from nearid_core.datasets._rendered import LAW, LEVELS, rendered_dataset
from nearid_core.datasets.dataset import DATA_SEED, DATASETS, Dataset
from nearid_core.options import Option


@dataclass(frozen=True)
class BalancedScene:
    """The factors of `scene` in a flat picture, each causing the same pixel variance and nearly linearly.

    What a method reaches here says that it works when nothing is in its way, and nothing about other images.
    """

    name: str = "balanced_scene"
    description: str = "a constructed favourable case, 3 x 32 x 32 pixels: six known factors of equal pixel variance"
    default_epochs: int = 100  # 2,500 steps of 128 at the usual 6,000 images
    options: tuple[Option, ...] = (
        Option("n", 6000, int, "Images rendered; 45% of them are held back.", 20, 1_000_000),
        DATA_SEED,
        LAW,
        LEVELS,
    )

    def load(self, *, n: int | None, data_seed: int, **options: Any) -> Dataset:
        count = self.options[0].default if n is None else n
        levels = dict.fromkeys(FACTORS, options["levels"])
        return rendered_dataset(self.name, render, levels, {"n": count, "data_seed": data_seed, **options})


BALANCED_SCENE = DATASETS.register(BalancedScene())

"""Sprites: the simplest images with continuous factors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nearid_core.datasets._rendered import LAW, LEVELS, rendered_dataset
from nearid_core.datasets._sprites_render import FACTORS, render
from nearid_core.datasets.dataset import DATA_SEED, DATASETS, Dataset
from nearid_core.options import Option


@dataclass(frozen=True)
class Sprites:
    """Anti-aliased superellipses, after the factors of dSprites; shape is continuous here, from oblong to ellipse.

    Source of the idea: Matthey, Higgins, Hassabis and Lerchner (2017), dSprites: Disentanglement testing Sprites
    dataset.
    """

    name: str = "sprites"
    description: str = "rendered superellipses, 1 x 32 x 32 pixels; position, scale, orientation and roundness known"
    default_epochs: int = 80  # 2,720 steps of 128 at the usual 8,000 images
    options: tuple[Option, ...] = (
        Option("n", 8000, int, "Images rendered; 45% of them are held back.", 20, 1_000_000),
        DATA_SEED,
        LAW,
        LEVELS,
    )

    def load(self, *, n: int | None, data_seed: int, **options: Any) -> Dataset:
        count = self.options[0].default if n is None else n
        levels = dict.fromkeys(FACTORS, options["levels"])
        return rendered_dataset(self.name, render, levels, {"n": count, "data_seed": data_seed, **options})


SPRITES = DATASETS.register(Sprites())

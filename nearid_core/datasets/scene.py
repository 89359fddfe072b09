"""A room like that of Shapes3D, rendered here, with factors that can be continuous."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from nearid_core.datasets._rendered import ENERGY, LAW, LEVELS, Render, rendered_dataset
from nearid_core.datasets._scene_render import FACTORS, KINDS, render
from nearid_core.datasets._scene_solids import SOLIDS
from nearid_core.datasets.dataset import DATA_SEED, DATASETS, Dataset
from nearid_core.datasets.factor_energy import equal_spans, narrow
from nearid_core.options import Option

_SHAPE = FACTORS.index("shape")


@dataclass(frozen=True)
class Scene:
    """Floor, three walls and an object; the camera goes around it. Its images are not those of Shapes3D.

    Source of the idea: Burgess and Kim (2018), 3D Shapes dataset.
    """

    name: str = "scene"
    description: str = "a rendered room with an object, 3 x 32 x 32 pixels; hues, scale, shape and azimuth known"
    default_epochs: int = 100  # 2,500 steps of 128 at the usual 6,000 images
    options: tuple[Option, ...] = (
        Option("n", 6000, int, "Images rendered; 45% of them are held back.", 20, 1_000_000),
        DATA_SEED,
        Option(
            "hue_range",
            0.4,
            float,
            "Share of the circle of colours that each hue goes over. Over more than about 0.4 the circle's bend shows: "
            "no straight axis of a latent space can then follow a hue.",
            0.05,
            1.0,
        ),
        Option(
            "shape",
            "continuous",
            str,
            f"continuous goes from a flat to a tall ellipsoid; discrete is one of {', '.join(SOLIDS)}.",
            choices=KINDS,
        ),
        LAW,
        LEVELS,
        ENERGY,
    )

    def load(self, *, n: int | None, data_seed: int, **options: Any) -> Dataset:
        count = self.options[0].default if n is None else n
        levels: dict[str, int | None] = dict.fromkeys(FACTORS, options["levels"])
        discrete = options["shape"] == "discrete"
        if discrete:
            levels["shape"] = len(SOLIDS)
        drawn: Render = partial(render, hue_range=options["hue_range"], shape=options["shape"])
        if options["energy"] == "equal":
            spans = equal_spans(drawn, options["law"], list(levels.values()), _SHAPE if discrete else None)
            drawn = narrow(drawn, spans)
        return rendered_dataset(self.name, drawn, levels, {"n": count, "data_seed": data_seed, **options})


SCENE = DATASETS.register(Scene())

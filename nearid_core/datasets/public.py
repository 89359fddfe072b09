"""Public image sets whose factors are known, read from the files that their authors published."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nearid_core.datasets._public_file import PublicFile
from nearid_core.datasets._public_hdf5 import open_shapes3d
from nearid_core.datasets._public_npz import open_dsprites, open_mpi3d
from nearid_core.datasets._public_png import open_falcor3d, open_isaac3d
from nearid_core.datasets.area import area_mean
from nearid_core.datasets.dataset import DATA_SEED, DATASETS, Dataset
from nearid_core.datasets.split import split_column
from nearid_core.errors import InvalidInput
from nearid_core.options import Option

FOLDER = Path(__file__).parents[2] / "data"
TEST_SHARE = 0.45  # as of the digits


@dataclass(frozen=True)
class PublicImages:
    """Images drawn at random from a public file; the factors are codes, the places of their values in order.

    files : what the file is called, or the files that may be there, the first that is there being read.
    open_file : reads everything but the images.
    """

    name: str
    title: str
    description: str
    files: tuple[str, ...]
    open_file: Callable[[Path], PublicFile]
    default_epochs: int = 100  # 2,500 steps of 128 at the usual 6,000 images

    @property
    def options(self) -> tuple[Option, ...]:
        return (
            Option("n", 6000, int, "Images drawn from the file; 45% of them are held back.", 20, 2_000_000),
            DATA_SEED,
            Option(
                "path",
                None,
                str,
                f"{' or '.join(self.files)}, or the folder that it is in. Empty: data/{self.name} beside app.py.",
                optional=True,
            ),
            Option(
                "resolution",
                32,
                int,
                "Pixels a side, each the mean of the area it covers; more cost memory and time with their square.",
                4,
                1024,
            ),
        )

    def load(self, *, n: int | None, data_seed: int, **options: Any) -> Dataset:
        path, side = self.find(options["path"]), options["resolution"]
        file = self.open_file(path)
        count = min(self.options[0].default, len(file)) if n is None else n
        self._check(file, path, count, side)
        rows = np.sort(np.random.default_rng(data_seed).permutation(len(file))[:count])
        ids = [f"{self.name}-{row:07d}" for row in rows]
        codes = dict(zip(file.names, file.codes[rows].T.astype(np.int64), strict=True))
        samples = pd.DataFrame({"sample_id": ids, "split": split_column(ids, data_seed, TEST_SHARE)} | codes)
        return Dataset(
            name=self.name,
            features=read_images(file, rows, side).reshape(count, -1),
            samples=samples,
            factor_names=file.names,
            image_shape=(file.channels, side, side),
            options={"n": count, "data_seed": data_seed, **options},
        )

    def find(self, given: str | None) -> Path:
        """The file or folder to read; raises InvalidInput, saying what to put where, when it is not there.

        given : it, or the folder that it is in.
        """
        home, wanted = FOLDER / self.name, " or ".join(self.files)
        place = home if given is None else Path(given).expanduser()
        there = next((place / file for file in self.files if (place / file).exists()), None)
        if there is not None:
            return there
        if given is None:
            raise InvalidInput(
                f"There is no {self.title} in {home}: put {wanted} there (data/README.md has the command), or set path "
                f"to where it is."
            )
        if not place.exists():
            raise InvalidInput(
                f"There is no {place}: set path to where {wanted} is, or leave it empty and put that in {home} "
                f"(data/README.md has the command)."
            )
        return place

    def _check(self, file: PublicFile, path: Path, count: int, side: int) -> None:
        if count > len(file):
            raise InvalidInput(f"n is {count} and {path.name} has {len(file):,} images; ask for fewer.")
        if side > file.side:
            raise InvalidInput(
                f"resolution is {side} and the images of {path.name} have {file.side} pixels a side; ask for that or "
                f"fewer."
            )


def read_images(file: PublicFile, rows: np.ndarray, side: int) -> np.ndarray:
    """(len(rows), channels, side, side) float32 in [0, 1]; rows : ascending. No more than a block is held in full."""
    images = np.empty((len(rows), file.channels, side, side), np.float32)
    filled = 0
    for block in file.blocks(rows):
        images[filled : filled + len(block)] = area_mean(block, side) / file.white
        filled += len(block)
    return np.clip(images, 0, 1, out=images)


# Matthey, Higgins, Hassabis and Lerchner (2017), dSprites: Disentanglement testing Sprites dataset.
DSPRITES = DATASETS.register(
    PublicImages(
        "dsprites",
        "dSprites",
        "737,280 white shapes of 5 known factors, 64 x 64 pixels (the published npz)",
        ("dsprites_ndarray_co1sh3sc6or40x32y32_64x64.npz",),
        open_dsprites,
    )
)
# Burgess and Kim (2018), 3D Shapes dataset.
SHAPES3D = DATASETS.register(
    PublicImages(
        "shapes3d",
        "Shapes3D",
        "480,000 rendered rooms of 6 known factors, 64 x 64 pixels (the published h5)",
        ("3dshapes.h5",),
        open_shapes3d,
    )
)
# Gondal et al. (2019), On the transfer of inductive bias from simulation to the real world, NeurIPS 32.
MPI3D = DATASETS.register(
    PublicImages(
        "mpi3d",
        "MPI3D",
        "1,036,800 images of a robot arm, 7 known factors, 64 x 64 pixels (the published npz)",
        ("mpi3d_real.npz", "mpi3d_realistic.npz", "mpi3d_toy.npz", "mpi3d_real_complex.npz"),
        open_mpi3d,
    )
)
# Nie et al. (2020), Semi-supervised StyleGAN for disentanglement learning, ICML 37.
FALCOR3D = DATASETS.register(
    PublicImages(
        "falcor3d",
        "Falcor3D",
        "233,280 renderings of a living room, 7 factors of light and camera (the published folder)",
        ("Falcor3D_down128",),
        open_falcor3d,
    )
)
# Nie et al. (2020), Semi-supervised StyleGAN for disentanglement learning, ICML 37.
ISAAC3D = DATASETS.register(
    PublicImages(
        "isaac3d",
        "Isaac3D",
        "737,280 renderings of a robot in a kitchen, 9 known factors (the published folder)",
        ("Isaac3D_down128",),
        open_isaac3d,
    )
)

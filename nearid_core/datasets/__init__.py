"""Datasets by name: what models learn from and are judged on."""

from __future__ import annotations

from typing import Any

from nearid_core.datasets.dataset import DATASETS, Dataset
from nearid_core.datasets.digits import DIGITS  # first, and so what a form begins with

# isort: split
from nearid_core.datasets.cells import CELLS
from nearid_core.datasets.mnist import MNIST
from nearid_core.datasets.nonlinear_mixing import NONLINEAR_MIXING
from nearid_core.datasets.own_arrays import ARRAYS

# isort: split
from nearid_core.datasets.balanced_scene import BALANCED_SCENE
from nearid_core.datasets.scene import SCENE
from nearid_core.datasets.sprites import SPRITES

# isort: split
from nearid_core.datasets.public import DSPRITES, FALCOR3D, ISAAC3D, MPI3D, SHAPES3D
from nearid_core.options import resolve

__all__ = [
    "ARRAYS",
    "BALANCED_SCENE",
    "CELLS",
    "DATASETS",
    "DIGITS",
    "DSPRITES",
    "FALCOR3D",
    "ISAAC3D",
    "MNIST",
    "MPI3D",
    "NONLINEAR_MIXING",
    "SCENE",
    "SHAPES3D",
    "SPRITES",
    "Dataset",
    "dataset_names",
    "load_dataset",
]


def dataset_names() -> list[str]:
    """The names that `load_dataset` takes."""
    return DATASETS.names()


def load_dataset(name: str, *, n: int | None = None, seed: int = 0, **options: Any) -> Dataset:
    """A dataset by name.

    n : samples wanted (None: all there are, or the usual number where they are drawn).
    seed : draws the samples and the train/test split where these are drawn.
    options : what the dataset declares; see ``nearid datasets``.

    Raises InvalidInput for an unknown name or option (with the nearest known one), or more samples than there are.
    """
    source = DATASETS[name]
    given = options | {"data_seed": seed} | ({} if n is None else {"n": n})
    return source.load(**resolve(source.options, given, name))

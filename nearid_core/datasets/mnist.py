"""MNIST, from files or from OpenML."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nearid_core.datasets.dataset import DATA_SEED, DATASETS, Dataset
from nearid_core.datasets.idx import IMAGES, LABELS, read_idx
from nearid_core.datasets.split import hash_order, split_column
from nearid_core.errors import InvalidInput
from nearid_core.options import Option

FOLDER = Path(__file__).parents[2] / "data" / "mnist"
PARTS = {"train": "train", "t10k": "test"}  # as the files are called -> the split
TEST_SHARE = 0.45  # of one part alone; as of the digits
TOTAL = 70_000
_OPENML_TRAIN = 60_000  # the first rows there are the training part
_ANSWER_WITHIN = 3.0  # seconds, of OpenML


@dataclass(frozen=True, eq=False)
class Part:
    """images : (n, height, width) uint8; digits : (n,) uint8."""

    name: str
    images: np.ndarray
    digits: np.ndarray


@dataclass(frozen=True)
class Mnist:
    """70,000 digits; the label is the one known factor.

    With both parts there, the test part is held back; one part alone is split by a hash of the ids.

    Source: LeCun, Bottou, Bengio and Haffner (1998), Gradient-based learning applied to document recognition,
    Proceedings of the IEEE 86 (11).
    """

    name: str = "mnist"
    description: str = "70,000 real handwritten digits, 28 x 28 pixels, with their label (IDX files, or OpenML)"
    default_epochs: int = 30
    options: tuple[Option, ...] = (
        Option("n", None, int, "How many of the digits to use. Empty: all there are.", 20, 1_000_000, optional=True),
        DATA_SEED,
        Option(
            "path",
            None,
            str,
            "Folder with the IDX files, gzipped or not. Empty: data/mnist beside app.py, else a download from OpenML.",
            optional=True,
        ),
    )

    def load(self, *, n: int | None, data_seed: int, **options: Any) -> Dataset:
        path = options["path"]
        folder = FOLDER if path is None else Path(path).expanduser()
        parts = read_parts(folder) or (download(folder) if path is None else _absent(folder))
        ids = [f"{part.name}-{row:05d}" for part in parts for row in range(len(part.images))]
        if n is not None and n > len(ids):
            raise InvalidInput(f"n is {n} and MNIST has {len(ids):,} digits here; ask for fewer, or leave n empty.")
        split = (
            np.concatenate([np.full(len(part.images), PARTS[part.name], dtype=object) for part in parts])
            if len(parts) > 1
            else split_column(ids, data_seed, TEST_SHARE)
        )
        rows = np.sort(hash_order(ids, data_seed, "subset")[:n])
        samples = pd.DataFrame({"sample_id": ids, "split": split, "digit": _joined([part.digits for part in parts])})
        images = _joined([part.images for part in parts])[rows]
        return Dataset(
            name=self.name,
            features=images.reshape(len(rows), -1).astype(np.float32) / 255,
            samples=samples.iloc[rows].reset_index(drop=True).astype({"digit": np.int64}),
            factor_names=("digit",),
            label="digit",
            image_shape=(1, *images.shape[1:]),
            options={"n": n, "data_seed": data_seed, "path": path},
        )


def read_parts(folder: Path) -> list[Part]:
    """The parts that the folder has, the training part first; none where it has none.

    Raises InvalidInput where images lack their labels, or parts do not fit together.
    """
    if folder.exists() and not folder.is_dir():
        raise InvalidInput(f"{folder} is a file; expected the folder with the IDX files of MNIST.")
    parts = []
    for name in PARTS:
        images, labels = _find(folder, name, "images", 3), _find(folder, name, "labels", 1)
        if images is None and labels is None:
            continue
        if images is None or labels is None:
            there, lacking = (labels, "images") if images is None else (images, "labels")
            raise InvalidInput(f"{there} is there without the {lacking} of the same part; put both in {folder}.")
        parts.append(_part(name, read_idx(images, IMAGES), read_idx(labels, LABELS)))
    if len({part.images.shape[1:] for part in parts}) > 1:
        raise InvalidInput(f"The images of the two parts in {folder} differ in size; they are not of one data set.")
    return parts


def download(folder: Path) -> list[Part]:
    """Both parts from OpenML, which scikit-learn keeps for the next time.

    folder : where the files were looked for, for the message.
    """
    try:
        return _fetch()
    except Exception as error:  # scikit-learn, urllib and OpenML have no common error for "not now"
        raise InvalidInput(
            f"{_where(folder)} OpenML could not be asked for it ({ascii(str(error))[1:-1][:120]})."
        ) from None


def _fetch() -> list[Part]:
    from sklearn.datasets import fetch_openml

    kept = Path(os.environ.get("SCIKIT_LEARN_DATA", "~/scikit_learn_data")).expanduser()
    if not (kept / "openml").exists():
        socket.create_connection(("api.openml.org", 443), timeout=_ANSWER_WITHIN).close()  # else it waits for minutes
    loaded = fetch_openml("mnist_784", version=1, as_frame=False, parser="auto", n_retries=1)
    images = loaded.data.astype(np.uint8).reshape(-1, 28, 28)
    digits = loaded.target.astype(np.uint8)
    cut = _OPENML_TRAIN
    return [_part("train", images[:cut], digits[:cut]), _part("t10k", images[cut:], digits[cut:])]


def _part(name: str, images: np.ndarray, digits: np.ndarray) -> Part:
    if len(images) != len(digits):
        raise InvalidInput(f"The part {name} of MNIST has {len(images):,} images and {len(digits):,} labels.")
    return Part(name, images, digits)


def _find(folder: Path, part: str, what: str, dimensions: int) -> Path | None:
    """``t10k-images-idx3-ubyte``, with a dot for the second hyphen as some copies have it, and .gz or not."""
    names = [f"{part}-{what}{mark}idx{dimensions}-ubyte{end}" for mark in "-." for end in ("", ".gz")]
    return next((folder / name for name in names if (folder / name).is_file()), None)


def _absent(folder: Path) -> list[Part]:
    raise InvalidInput(_where(folder))


def _where(folder: Path) -> str:
    return (
        f"There is no MNIST in {folder}: put t10k-images-idx3-ubyte.gz and t10k-labels-idx1-ubyte.gz there, and the "
        f"two that begin with train, or set path to the folder that has them."
    )


def _joined(arrays: list[np.ndarray]) -> np.ndarray:
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


MNIST = DATASETS.register(Mnist())

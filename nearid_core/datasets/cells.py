"""Rendered cells of a screen: biology, technique, labels, batches and wells are all known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from nearid_core.datasets._cells_design import CONTROL, DESIGNS, LAYOUTS, plate_wells
from nearid_core.datasets._cells_factors import BETWEEN_CELLS, FACTORS, LIMIT, Law, well_means
from nearid_core.datasets._cells_render import CHANNELS, SIDE, render
from nearid_core.datasets.dataset import DATA_SEED, DATASETS, Dataset
from nearid_core.datasets.nonlinear_mixing import LAWS
from nearid_core.datasets.split import split_column
from nearid_core.options import Option

TEST_SHARE = 0.45  # of the wells; as of the digits
BLOCK = 512  # cells drawn from one random state: the first cells are the same however many there are

ROLES = {
    "batch": "batch",
    "group": "plate_well",
    "position": "well",
    "replicate": "replicate",
    "level": "cell",
    "control": f"perturbation={CONTROL}",
    "controls": [{"column": "perturbation", "value": CONTROL, "kind": "negative"}],
}


@dataclass(frozen=True)
class Cells:
    """A simulated screen, one crop of 32 x 32 pixels a cell, centred and turned as single-cell pipelines do it.

    Channels: actin, organelles, DNA. The factors are in units of a typical difference, 0 being the usual cell under
    the usual microscope; a label shifts two of the biological ones and a batch all of the technical ones. Cells of one
    well share what is particular to it, so a well is held back whole.
    """

    name: str = "cells"
    description: str = "a simulated microscopy screen, 3 x 32 x 32 pixels; biology, batches and wells are known"
    default_epochs: int = 200  # 13,600 steps of 32 at the usual 4,000 cells
    options: tuple[Option, ...] = (
        Option("n", 4000, int, "Cells; they are dealt out to the wells in turn.", 20, 200_000),
        DATA_SEED,
        Option(
            "batches",
            24,
            int,
            "Batches, each a plate of 96 wells on a day of its own. They differ in fewer directions than there are "
            "batches; of the six technical factors, too few leave some unseen.",
            1,
            1000,
        ),
        Option("perturbations", 10, int, f"Labels beside the control {CONTROL}.", 1, 95),
        Option(
            "replicates", 8, int, f"Wells of each label on a plate, on average; {CONTROL} has what they leave.", 1, 95
        ),
        Option("batch_strength", 1.0, float, "How far batches differ in technique; 0 is not at all.", 0.0, 3.0),
        Option("bio_strength", 1.0, float, "How far perturbations shift the biology; 0 is not at all.", 0.0, 3.0),
        Option(
            "law",
            "laplace",
            str,
            "How batches, wells and cells vary; of many gaussian batches ICA cannot find the directions.",
            choices=tuple(LAWS),
        ),
        Option(
            "layout",
            "random",
            str,
            "fixed puts each label into the same wells on every plate: then a label cannot be told from its wells.",
            choices=LAYOUTS,
        ),
        Option(
            "design",
            "crossed",
            str,
            "nested gives each batch labels of its own: then a label cannot be told from its batch.",
            choices=DESIGNS,
        ),
    )

    def load(self, *, n: int | None, data_seed: int, **options: Any) -> Dataset:
        count = self.options[0].default if n is None else n
        law = LAWS[options["law"]]
        for_layout, for_means, for_order = np.random.default_rng(data_seed).spawn(3)
        design = {name: options[name] for name in ("batches", "perturbations", "replicates", "layout", "design")}
        wells = plate_wells(for_layout, **design)
        means = well_means(
            for_means, wells, law, options["perturbations"], options["bio_strength"], options["batch_strength"]
        )
        rows = np.resize(for_order.permutation(len(wells)), count)
        factors, images = _cells(means[rows], law, data_seed)
        return Dataset(
            name=self.name,
            features=images.reshape(count, -1),
            samples=_samples(wells.iloc[rows], factors, data_seed),
            factor_names=FACTORS,
            label="perturbation",
            image_shape=(len(CHANNELS), SIDE, SIDE),
            options={"n": count, "data_seed": data_seed, **options},
            roles=ROLES,
        )


def _samples(wells: pd.DataFrame, factors: np.ndarray, data_seed: int) -> pd.DataFrame:
    """One row a cell; wells : the well of each."""
    known = wells.reset_index(drop=True)
    known["plate_well"] = known["batch"] + "/" + known["well"]
    there = sorted(known["plate_well"].unique())
    split = dict(zip(there, split_column(there, data_seed, TEST_SHARE), strict=True))
    known.insert(0, "sample_id", [f"cell-{row:06d}" for row in range(len(known))])
    known.insert(1, "split", known["plate_well"].map(split))
    return known.join(pd.DataFrame(factors, columns=list(FACTORS)))


def _cells(means: np.ndarray, law: Law, data_seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Factors (n, factors) and images (n, 3, side, side) of cells that vary about `means`, float32."""
    factors = np.empty(means.shape, np.float32)
    images = np.empty((len(means), len(CHANNELS), SIDE, SIDE), np.float32)
    for start in range(0, len(means), BLOCK):
        rng = np.random.default_rng([data_seed, 1 + start // BLOCK])  # [seed, 0] would be the state of seed alone
        here = means[start : start + BLOCK]
        varied = BETWEEN_CELLS * law(rng, (BLOCK, means.shape[1]))  # a whole block is drawn, however much of it is used
        varied[: len(here)] += here
        varied = np.clip(varied, -LIMIT, LIMIT)
        factors[start : start + BLOCK] = varied[: len(here)]
        images[start : start + BLOCK] = render(varied, rng)[: len(here)]
    return factors, images


CELLS = DATASETS.register(Cells())

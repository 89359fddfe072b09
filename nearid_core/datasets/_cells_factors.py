"""What differs between cells: by label, by batch, by well, and from cell to cell."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from nearid_core.datasets._cells_design import CONTROL, EDGE, label_names

BIOLOGICAL = (
    "bio_nucleus_size",
    "bio_elongation",
    "bio_nucleus_intensity",
    "bio_spread",
    "bio_fibres",
    "bio_puncta",
)
TECHNICAL = ("tech_gain", "tech_background", "tech_blur", "tech_crosstalk", "tech_slope_x", "tech_slope_y")
FACTORS = BIOLOGICAL + TECHNICAL
LIMIT = 3.0  # factors are clipped here, so that every image can be rendered

MOVED = 2  # biological factors that a perturbation shifts
EFFECT = (1.0, 2.0)  # smallest and largest size of a shift, for bio_strength 1
EDGE_GAIN = -0.5  # of tech_gain in the outermost wells, on every plate
BETWEEN_WELLS = 0.2  # standard deviation
BETWEEN_CELLS = np.repeat([0.6, 0.4], [len(BIOLOGICAL), len(TECHNICAL)])

Law = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]


def effects(rng: np.random.Generator, perturbations: int) -> pd.DataFrame:
    """Shift of each biological factor by each label: two by each, none by DMSO.

    Six labels or more leave no factor unshifted.
    """
    count = len(BIOLOGICAL)
    shifts = np.zeros((perturbations, count))
    first = np.resize(rng.permutation(count), perturbations)
    for row, factor in enumerate(first):
        others = np.delete(np.arange(count), factor)
        moved = [factor, *rng.choice(others, MOVED - 1, replace=False)]
        shifts[row, moved] = rng.uniform(*EFFECT, MOVED) * rng.choice([-1, 1], MOVED)
    table = pd.DataFrame(shifts, index=label_names(perturbations), columns=list(BIOLOGICAL))
    table.loc[CONTROL] = 0.0
    return table


def batch_offsets(rng: np.random.Generator, names: list[str], law: Law) -> pd.DataFrame:
    """Offset of each technical factor in each batch, mean 0 and standard deviation 1 over the batches.

    So every factor differs between batches, however few there are; one batch alone has no offsets.
    """
    drawn = law(rng, (len(names), len(TECHNICAL)))
    centred = drawn - drawn.mean(0)
    spread = centred.std(0) if len(names) > 1 else 1.0
    return pd.DataFrame(centred / spread, index=names, columns=list(TECHNICAL))


def well_means(
    rng: np.random.Generator,
    wells: pd.DataFrame,
    law: Law,
    perturbations: int,
    bio_strength: float,
    batch_strength: float,
) -> np.ndarray:
    """(wells, factors) that the cells of each well vary about; wells : as `plate_wells` gives them."""
    shifts = effects(rng, perturbations).loc[wells["perturbation"]].to_numpy()
    offsets = batch_offsets(rng, list(wells["batch"].unique()), law).loc[wells["batch"]].to_numpy()
    means = np.hstack([bio_strength * shifts, batch_strength * offsets])
    means[:, FACTORS.index("tech_gain")] += np.where(wells["well"].isin(EDGE), EDGE_GAIN, 0.0)
    return means + BETWEEN_WELLS * law(rng, means.shape)

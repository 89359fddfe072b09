"""Which label stands in which well of which plate."""

from __future__ import annotations

import numpy as np
import pandas as pd

from nearid_core.errors import InvalidInput

CONTROL = "DMSO"
ROWS, COLUMNS = "ABCDEFGH", 12
POSITIONS = tuple(f"{row}{column:02d}" for column in range(1, COLUMNS + 1) for row in ROWS)  # column by column
EDGE = frozenset(well for well in POSITIONS if well[0] in "AH" or well[1:] in {"01", "12"})
LAYOUTS = ("random", "fixed")
DESIGNS = ("crossed", "nested")


def plate_wells(
    rng: np.random.Generator, *, batches: int, perturbations: int, replicates: int, layout: str, design: str
) -> pd.DataFrame:
    """One row a well, with ``batch``, ``well``, ``perturbation`` and ``replicate`` (from 1, among the wells of one
    label on one plate).

    A batch is one plate of 96 wells. What `perturbations` times `replicates` leave is DMSO.

    layout : "random" draws the wells anew on each plate; "fixed" fills the plates alike, DMSO from the outer columns
        on and then column by column, so that the well tells the label.
    design : "crossed" has each label on every plate; "nested" gives each plate labels of its own as far as there are
        enough, so that batch and label cannot be told apart but for DMSO, which is everywhere.

    Raises InvalidInput where no well is left for DMSO.
    """
    treated = perturbations * replicates
    if treated >= len(POSITIONS):
        raise InvalidInput(
            f"perturbations is {perturbations} and replicates is {replicates}, which takes {treated} of the "
            f"{len(POSITIONS)} wells of a plate and leaves none for {CONTROL}; set replicates to "
            f"{(len(POSITIONS) - 1) // perturbations} or less."
        )
    wells = sorted(POSITIONS, key=lambda well: well[1:] not in {"01", f"{COLUMNS}"})  # the outer columns first
    plates = []
    for batch in range(batches):
        labels = np.resize(_labels(batch, batches, perturbations, design), treated)
        labels = np.concatenate([np.full(len(POSITIONS) - treated, CONTROL, dtype=object), np.sort(labels)])
        if layout == "random":
            labels = rng.permutation(labels)
        plates.append(pd.DataFrame({"batch": f"batch_{batch + 1:02d}", "well": wells, "perturbation": labels}))
    table = pd.concat(plates, ignore_index=True)
    table["replicate"] = table.groupby(["batch", "perturbation"]).cumcount() + 1
    return table


def label_names(perturbations: int) -> list[str]:
    """What is tested beside the control; their names sort as they are numbered."""
    return [f"compound_{number:02d}" for number in range(1, perturbations + 1)]


def _labels(batch: int, batches: int, perturbations: int, design: str) -> np.ndarray:
    names = np.array(label_names(perturbations), dtype=object)
    apart = min(batches, perturbations) if design == "nested" else 1
    return names[batch % apart :: apart]

"""Experiment 4: in a microscopy model's embedding, ICA sets biology apart from batch."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nearid_core.batches import BatchReport, report_of_run
from nearid_core.errors import InvalidInput
from nearid_core.options import Option, resolve
from nearid_core.paper.experiment import EXPERIMENTS, Reproduction
from nearid_core.progress import ProgressCallback, ignore
from nearid_core.runs import Run, RunStore

DEMO = Path(__file__).parents[2] / "data" / "demo" / "runs"

# Table of batch effects in arXiv 2603.11970: concentration of biology in the top quarter of features, and the AUROC of
# one knock-out (EIF3H) on held-out batches.
PUBLISHED = {
    "base": {"concentration": 0.163, "auroc": 0.682},
    "pca": {"concentration": 0.332, "auroc": 0.724},
    "pca_ica": {"concentration": 0.386, "auroc": 0.749},
    "pca_random": {"concentration": 0.287, "auroc": 0.725},
}
DIFFERS = (
    "Data: a simulated screen of rendered cells, and not RxRx3-core; the factors are known, and fewer.",
    "Model: a small autoencoder with 12 latents, and not OpenPhenom (a masked autoencoder with 384).",
    "Concentration: the mean eta^2 of the top quarter; the paper's formula is not stated, and only a form of this kind "
    "gives values under .25.",
    "AUROC: L1 logistic regression, mean over all compounds; the paper shows one knock-out.",
)


@dataclass(frozen=True)
class BatchEffects:
    name: str = "e4"
    description: str = "ICA sets biology apart from batch in a microscopy embedding; ours is on rendered cells"
    options: tuple[Option, ...] = ()

    def run(
        self, on_progress: ProgressCallback = ignore, *, store: RunStore | None = None, **given: Any
    ) -> Reproduction:
        """The report on the run of cells that ships with nearid, whatever the store.

        Raises InvalidInput where the demo was removed, and for settings: it has none.
        """
        resolve(self.options, given, f"experiment {self.name}")
        return reproduce(report_of_run(_demo_run(), on_progress=on_progress))


def reproduce(report: BatchReport) -> Reproduction:
    """The paper's quantities in a report."""
    summary = report.summary.set_index("space")
    auroc = report.cross_batch[report.cross_batch["penalty"] == "l1"].set_index("space")
    rows = []
    for space, published in PUBLISHED.items():
        ours = {"concentration": summary["mean_top"][space], "auroc": auroc["auroc"][space]}
        for quantity, value in published.items():
            interval = {name: auroc[name][space] if quantity == "auroc" else np.nan for name in ("low", "high")}
            rows.append({"quantity": quantity, "method": space, "published": value, "ours": ours[quantity], **interval})
    table = pd.DataFrame(rows).sort_values("quantity", kind="stable", ignore_index=True)
    return Reproduction(table, (*_orders(table), f"Selective removal (ours): {report.verdict}"), DIFFERS)


def _orders(table: pd.DataFrame) -> list[str]:
    """Whether ICA comes first here, too."""
    said = []
    for quantity, part in table.groupby("quantity"):
        ours = part.set_index("method")["ours"].astype(float)
        others = ours.drop("pca_ica")
        ahead = ours["pca_ica"] - others.max()
        close = quantity == "auroc" and ours["pca_ica"] <= float(part.set_index("method")["high"].drop("pca_ica").max())
        if ahead <= 0:
            best = str(others.idxmax())
            said.append(f"{quantity}: not reproduced. ICA has {ours['pca_ica']:.3f}, {best} {others.max():.3f}.")
        elif close:
            said.append(f"{quantity}: not told apart. ICA is ahead by {ahead:.3f}, within the others' intervals.")
        else:
            said.append(f"{quantity}: reproduced. ICA is ahead of all others by {ahead:.3f}.")
    return said


def _demo_run() -> Run:
    runs = [run for run in RunStore(DEMO).runs(dataset="cells") if run.status == "done"]
    if not runs:
        raise InvalidInput(f"There is no run of cells in {DEMO}; data/demo/README.md says how to make it again.")
    return runs[0]


E4 = EXPERIMENTS.register(BatchEffects())

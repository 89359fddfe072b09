"""The shipped batch report of the demo's rendered cells is what a fresh one says."""

from pathlib import Path

import numpy as np

import nearid_core as nid
from nearid_core.batches import cached_report, report_of_run, settings_of
from nearid_core.results import ResultCache

DEMO = Path(__file__).parents[2] / "data" / "demo"


def test_the_shipped_report_is_found_and_is_what_its_run_gives(tmp_path: Path) -> None:
    (run,) = nid.RunStore(DEMO / "runs").runs(dataset="cells")
    shipped = cached_report(run, "latent", settings_of(run), cache=ResultCache(tmp_path))
    assert shipped is not None
    fresh = report_of_run(run, "latent", cache=ResultCache(tmp_path, shipped=()))
    assert fresh.verdict.split(". ")[0] == shipped.verdict.split(". ")[0]
    for name in ("mean_eta2_batch", "mean_eta2_bio", "area"):
        np.testing.assert_allclose(fresh.summary[name], shipped.summary[name], atol=0.01)
    np.testing.assert_allclose(fresh.cross_batch["auroc"], shipped.cross_batch["auroc"], atol=0.01)

from pathlib import Path

import numpy as np
import pytest

import nearid_core as nid
from nearid_core.align import cached
from nearid_core.results import ResultCache

DEMO = Path(__file__).parents[2] / "data" / "demo"


@pytest.fixture(scope="module")
def demo():
    """The digits."""
    return next(one for one in nid.RunStore(DEMO / "runs").sets() if one.id.startswith("digits"))


def test_the_demo_is_whole_and_under_seven_megabytes(demo):
    assert len(demo.done) == 6
    assert nid.RunStore(DEMO / "runs").problems() == []
    assert sum(file.stat().st_size for file in DEMO.rglob("*") if file.is_file()) < 7_000_000


def test_the_shipped_comparison_is_found_without_a_cache_of_ones_own(demo, tmp_path):
    assert cached(demo, "latent", cache=ResultCache(tmp_path)) is not None


def test_the_shipped_comparison_is_what_comparing_its_runs_gives(demo, tmp_path):
    shipped = cached(demo, "latent", cache=ResultCache(tmp_path)).summary()
    fresh = nid.compare(demo, "latent", cache=ResultCache(tmp_path, shipped=())).summary()
    assert list(shipped["group"]) == list(fresh["group"])
    np.testing.assert_allclose(fresh["mean"], shipped["mean"], rtol=1e-3)
    np.testing.assert_allclose(fresh["class_mean"], shipped["class_mean"], rtol=1e-6)

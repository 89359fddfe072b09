from pathlib import Path

import pytest

import nearid_core as nid
from nearid_core.align import Comparison
from nearid_core.results import ResultCache
from nearid_core.runs import Run, RunStore
from tests.fabricate import fabricate_runs


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    return fabricate_runs(RunStore(tmp_path_factory.mktemp("figures")), range(3))


@pytest.fixture(scope="session")
def comparison(runs: list[Run], tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    return nid.compare(runs, "latent", cache=ResultCache(Path(tmp_path_factory.mktemp("cache"))))


@pytest.fixture(scope="session")
def of_two(runs: list[Run], tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    """Two runs: there is no jackknife over runs."""
    return nid.compare(runs[:2], "latent", cache=ResultCache(Path(tmp_path_factory.mktemp("cache"))))

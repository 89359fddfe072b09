"""Small tables, the real ones, and a store to import into."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from nearid_core.exchange import Mapping, read_mapping
from nearid_core.runs import RunStore

DATA = Path(os.environ.get("NEARID_TEST_DATA", Path(__file__).parents[3] / "shared" / "data"))
MAPPINGS = Path(__file__).parent / "mappings"

REAL = {
    "bbbc021_ljosa": ("bbbc021_ljosa/ljosa_jbiomolscreen_2013_per_well_mean.csv.gz",),
    "bbbc021_morpheus": ("bbbc021_morpheus/BBBC021_feature_selected_mad_robustize.csv.gz",),
    "jump_scope": ("jump_scope_moa/merged_10batches.parquet",),
    "pbmc_harmony": ("pbmc_harmony/pbmc_3500_pcs.tsv.gz", "pbmc_harmony/pbmc_3500_pcs_harmonized.tsv.gz"),
}


def real(name: str) -> tuple[list[Path], Mapping]:
    """A real table's files and the mapping kept for it; the test is skipped where the data is not."""
    paths = [DATA / file for file in REAL[name]]
    if not all(path.exists() for path in paths):
        pytest.skip(f"the tables of {DATA} are not on this machine")
    return paths, read_mapping(MAPPINGS / f"{name}.toml")


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore(tmp_path / "store")


@pytest.fixture
def values() -> np.ndarray:
    return np.random.default_rng(3).standard_normal((40, 5)).astype(np.float32)


@pytest.fixture
def table(values: np.ndarray) -> pd.DataFrame:
    """Forty wells on four plates, five features."""
    known = pd.DataFrame(
        {
            "Metadata_Plate": np.repeat(["Week1_a", "Week1_b", "Week2_a", "Week2_b"], 10),
            "Metadata_Well": np.tile([f"A{i:02d}" for i in range(1, 11)], 4),
            "Metadata_Compound": np.tile(["DMSO", "taxol"], 20),
        }
    )
    return known.join(pd.DataFrame(values, columns=[f"Cells_{j}" for j in range(5)]))


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """``write(name, content)`` is a file with this content."""

    def made(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return made

"""Files written in blocks are those that the safetensors package writes and reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from nearid_core.errors import InvalidInput
from nearid_core.runs.run import map_safetensors
from nearid_core.runs.safetensors_file import write_safetensors

ARRAYS = {
    "matrix": np.arange(12, dtype=np.float32).reshape(3, 4),
    "columns first": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "big endian": np.arange(4, dtype=">f8"),
    "half": np.ones((2, 2), np.float16),
    "codes": np.array([1, 2, 255], np.uint8),
    "scalar": np.array(3.5),
    "nothing": np.zeros((0, 3), np.float32),
    "strided": np.arange(20, dtype=np.int64).reshape(4, 5)[::2, 1:4],
}


def test_the_safetensors_package_reads_the_same_arrays(tmp_path: Path) -> None:
    write_safetensors(tmp_path / "a.safetensors", ARRAYS)
    for read in (load_file, map_safetensors):
        found = read(tmp_path / "a.safetensors")
        assert set(found) == set(ARRAYS)
        for name, values in ARRAYS.items():
            np.testing.assert_array_equal(found[name], values)


def test_a_type_that_a_run_does_not_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="has type complex128"):
        write_safetensors(tmp_path / "a.safetensors", {"a": np.ones(3, complex)})

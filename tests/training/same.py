"""Equality to the bit."""

from __future__ import annotations

import numpy as np

from nearid_core.runs import Run


def assert_same_run(one: Run, other: Run) -> None:
    """The two runs of one id have equal weights, representations, losses and metrics, to the bit."""
    assert one.id == other.id
    first, second = one.weights(), other.weights()
    assert first.keys() == second.keys()
    for name in first:
        np.testing.assert_array_equal(first[name], second[name], err_msg=name)
    assert one.record["layers"] == other.record["layers"]
    assert one.metrics == other.metrics
    assert one.history.drop(columns="seconds").equals(other.history.drop(columns="seconds"))

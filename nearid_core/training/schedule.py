"""How large a step Adam takes, in what order a seed sees the samples, and with what noise."""

from __future__ import annotations

import math

import numpy as np

WARM_UP = 100  # steps; Adam's second moments mean little before
FINAL = 0.02  # of the peak; small enough that the end does not depend on the last batches


def learning_rate(step: int, total: int, peak: float) -> float:
    """Linear warm-up times a cosine from `peak` to FINAL of it; `step` counts from 0."""
    cosine = 0.5 * (1 + math.cos(math.pi * step / total))
    return peak * min(1.0, (step + 1) / WARM_UP) * (FINAL + (1 - FINAL) * cosine)


def epoch_order(seed: int, epoch: int, n: int) -> np.ndarray:
    """The order of the n training samples in an epoch, (n,); it needs no memory of the epochs before."""
    return np.random.default_rng([seed, epoch]).permutation(n)


def noise_of_step(seed: int, step: int) -> np.random.Generator:
    """Where a seed's noise of one step comes from; `step` counts from 0. It needs no memory of the steps before."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(step,)))


def noise_of_evaluation(chunk: int) -> np.random.Generator:
    """Where the noise comes from with which a loss is read: the same for every seed and every time."""
    return np.random.default_rng(np.random.SeedSequence(0, spawn_key=(chunk, 0)))  # two numbers: never a step's

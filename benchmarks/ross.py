"""The sorted one-dimensional estimate of mutual information against scikit-learn's, interleaved in one run.

OMP_NUM_THREADS=1 python benchmarks/ross.py
"""

from __future__ import annotations

import time

import numpy as np
from sklearn.feature_selection import mutual_info_classif

from nearid_core.factors.ross import class_information

LATENTS, FACTORS, CLASSES, NEIGHBOURS, ROUNDS = 6, 4, 10, 10, 3


def planted(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    latents = rng.standard_normal((n, LATENTS))
    followed = latents[:, :FACTORS] + 0.3 * rng.standard_normal((n, FACTORS))
    return latents, (followed.argsort(axis=0).argsort(axis=0) * CLASSES // n).astype(int)


def of_sklearn(latents: np.ndarray, codes: np.ndarray) -> np.ndarray:
    kinds = {"discrete_features": False, "n_neighbors": NEIGHBOURS, "random_state": 0}
    return np.array([mutual_info_classif(latents, column, **kinds) for column in codes.T])


def main() -> None:
    for n in (1_000, 5_000, 20_000):
        latents, codes = planted(n)
        seconds = {"sorted": 0.0, "scikit-learn": 0.0}
        for _ in range(ROUNDS):
            began = time.process_time()
            ours = class_information(latents, codes, NEIGHBOURS, np.random.RandomState(0))
            between = time.process_time()
            theirs = of_sklearn(latents, codes)
            seconds["sorted"] += between - began
            seconds["scikit-learn"] += time.process_time() - between
        ratio = seconds["scikit-learn"] / seconds["sorted"]
        each = 1000 * seconds["sorted"] / (ROUNDS * LATENTS * FACTORS)
        apart = abs(ours - theirs).max()
        print(f"{n:6,} samples: {ratio:5.1f} times as fast, {each:.2f} CPU ms a pair, {apart:.0e} apart")


if __name__ == "__main__":
    main()

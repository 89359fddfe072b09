"""How fast are images rendered, and how much pixel variance does each factor cause?

    python benchmarks/rendering.py [--images 4096] [--rounds 3]

Prints images a CPU second of each rendered dataset, the best of the rounds, and the energy of every factor over that
of the weakest (`nearid_core.datasets.factor_energy`).
"""

from __future__ import annotations

import argparse
import time
from functools import partial

import numpy as np

from nearid_core.datasets import _balanced_scene_render as balanced
from nearid_core.datasets import _scene_render as scene
from nearid_core.datasets import _sprites_render as sprites
from nearid_core.datasets._rendered import Render, draw_factors, render_in_blocks
from nearid_core.datasets.factor_energy import equal_spans, factor_energies, narrow

DISCRETE = partial(scene.render, shape="discrete")
EQUAL = equal_spans(scene.render, "uniform", [None] * len(scene.FACTORS))

RENDERS: dict[str, tuple[Render, tuple[str, ...]]] = {
    "sprites": (sprites.render, sprites.FACTORS),
    "scene": (scene.render, scene.FACTORS),
    "scene, discrete shapes": (DISCRETE, scene.FACTORS),
    "scene, equal energy": (narrow(scene.render, EQUAL), scene.FACTORS),
    "balanced_scene": (balanced.render, balanced.FACTORS),
}


def images_per_second(render: Render, factors: np.ndarray, rounds: int) -> float:
    times = []
    for _ in range(rounds):
        began = time.process_time()
        render_in_blocks(render, factors)
        times.append(time.process_time() - began)
    return len(factors) / min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=int, default=4096)
    parser.add_argument("--rounds", type=int, default=3)
    wanted = parser.parse_args()
    for name, (render, names) in RENDERS.items():
        rng = np.random.default_rng(1)
        factors, others = (draw_factors(rng, wanted.images, "uniform", [None] * len(names)) for _ in range(2))
        speed = images_per_second(render, factors, wanted.rounds)
        energies = factor_energies(render, factors[:1000], others[:1000])
        each = ", ".join(
            f"{factor} {energy:.1f}" for factor, energy in zip(names, energies / energies.min(), strict=True)
        )
        print(f"{name}: {speed:,.0f} images a CPU second; energies {each}", flush=True)


if __name__ == "__main__":
    main()

"""Are seeds trained faster side by side or one after the other? It decides STACKED_UP_TO in nearid_core.training.plan.

    python benchmarks/training_plan.py [--seeds 8] [--steps 40] [--rounds 3]

Prints milliseconds of CPU time a step and seed, the best of the rounds, for MLP autoencoders of growing width. The
ways are interleaved within a round, so that other work on the machine disturbs all of them alike.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

import numpy as np
import torch

from nearid_core.training import TrainConfig
from nearid_core.training.fit import Fit, initial_model
from nearid_core.training.plan import STACKED_UP_TO, Plan

WIDTHS = (32, 64, 128, 256, 384, 512)
FEATURES = 64


def cpu_milliseconds(fits: list[Fit], plan: Plan, steps: int) -> float:
    """For `steps` steps of every fit, a step and seed."""
    with plan.in_force():
        began = time.process_time()
        for fit in fits:
            for _ in range(steps):
                fit.advance()
        spent = time.process_time() - began
    return 1e3 * spent / steps / sum(len(fit.seeds) for fit in fits)


def compare_width(width: int, seeds: int, steps: int, rounds: int) -> tuple[int, dict[str, float]]:
    """Weights of one model, and the best time of each way."""
    config = TrainConfig("digits", "autoencoder", epochs=10_000, options={"hidden": (width, width)})
    data = np.random.default_rng(0).random((1024, FEATURES), dtype=np.float32)
    stacked = Plan("stacked", "cpu", threads=1, at_once=seeds, torch=torch.__version__)
    loop = replace(stacked, execution="loop", at_once=1)
    ways = {
        "stacked": (stacked, [Fit(config, range(seeds), data, data[:2], stacked)]),
        "loop": (loop, [Fit(config, [seed], data, data[:2], loop) for seed in range(seeds)]),
        "loop, two threads": (replace(loop, threads=2), [Fit(config, [seed], data, data[:2], loop) for seed in (0, 1)]),
    }
    times = [{name: cpu_milliseconds(fits, plan, steps) for name, (plan, fits) in ways.items()} for _ in range(rounds)]
    weights = sum(parameter.numel() for parameter in initial_model(config, (FEATURES,), 0).parameters())
    return weights, {name: min(one[name] for one in times) for name in ways}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    wanted = parser.parse_args()
    print(f"torch {torch.__version__}, {wanted.seeds} seeds, batches of 128; CPU ms a step and seed")
    for width in WIDTHS:
        weights, best = compare_width(width, wanted.seeds, wanted.steps, wanted.rounds)
        faster = "stacked" if best["stacked"] < best["loop"] else "loop"
        chosen = "stacked" if weights <= STACKED_UP_TO["cpu"] else "loop"
        each = ", ".join(f"{name} {milliseconds:.2f}" for name, milliseconds in best.items())
        print(f"width {width:4d} ({weights:8,} weights): {each}; faster: {faster}, chosen: {chosen}", flush=True)


if __name__ == "__main__":
    main()

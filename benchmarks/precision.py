"""Do convolutions train faster in bfloat16 and with channels last, and as well? It decides `Body.bears_bfloat16`.

    python benchmarks/precision.py [--rounds 4] [--steps 3] [--epochs 0]

Prints samples per CPU second of a training step, and the ratio to float32 with channels first, for images of 32 and
64 pixels and for a wide MLP. The ways are interleaved within a round, and the best of the rounds counts, so that other
work on the machine disturbs all of them alike. With --epochs, a convolutional autoencoder is trained on cells in both
precisions as well, and what it reaches is printed.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import numpy as np
import torch

import nearid_core as nid
from nearid_core.training import plan
from nearid_core.training.fit import Fit

BATCH = 128
SHAPES = {
    "conv, 32 pixels": ("conv", (3, 32, 32)),
    "conv, 64 pixels": ("conv", (3, 64, 64)),
    "MLP 512-256, 32 pixels": ("mlp", (3, 32, 32)),
}
WAYS = [(precision, layout) for precision in ("float32", "bfloat16") for layout in ("first", "last")]


@contextmanager
def channels(layout: str) -> Iterator[None]:
    """Channels first is what torch does where nobody asks for anything else."""
    if layout == "last":
        yield
        return
    with mock.patch.object(torch, "channels_last", torch.contiguous_format):
        yield


def fit_of(architecture: str, shape: tuple[int, ...], precision: str) -> Fit:
    settings = {"architecture": architecture, "hidden": (512, 256), "batch_size": BATCH, "epochs": 10_000}
    config = nid.TrainConfig.from_settings("cells", "autoencoder", settings)
    data = np.random.default_rng(0).random((BATCH, int(np.prod(shape))), dtype=np.float32)
    chosen = plan.Plan("loop", "cpu", 1, 1, torch.__version__, precision)  # type: ignore[arg-type]
    return Fit(config, [0], data, data[:2], chosen, shape)


def samples_per_second(fit: Fit, layout: str, steps: int) -> float:
    with channels(layout), fit.plan.in_force():
        began = time.process_time()
        for _ in range(steps):
            fit.advance()
        return steps * BATCH / (time.process_time() - began)


def compare_speed(name: str, rounds: int, steps: int) -> None:
    architecture, shape = SHAPES[name]
    fits = {way: fit_of(architecture, shape, way[0]) for way in WAYS}
    speeds = {way: [samples_per_second(fits[way], way[1], 1)] for way in WAYS}  # the first also warms up
    for _ in range(rounds):
        for way, fit in fits.items():
            speeds[way].append(samples_per_second(fit, way[1], steps))
    best = {way: max(each) for way, each in speeds.items()}
    slowest = best[WAYS[0]]
    told = (f"{way[0]} channels {way[1]} {best[way]:,.0f} ({best[way] / slowest:.2f}x)" for way in WAYS)
    print(f"{name}: {', '.join(told)}", flush=True)


def compare_quality(epochs: int) -> None:
    settings = {"architecture": "conv", "latent_dim": 12, "batch_size": 64, "epochs": epochs, "n": 1500}
    config = nid.TrainConfig.from_settings("cells", "autoencoder", settings)
    for bfloat16 in (False, True):
        patched = mock.patch.object(plan, "multiplies_bfloat16", lambda found=bfloat16: found)
        with patched, tempfile.TemporaryDirectory() as folder:
            runs = nid.train(config, "0-2", nid.RunStore(folder))
        for run in runs:
            reached = ", ".join(f"{name} {value:.4f}" for name, value in run.metrics.items())
            print(
                f"{run.plan['precision']}, seed {run.seed}: {reached}; {run.record['cpu_seconds']:.0f} CPU s",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=0)
    wanted = parser.parse_args()
    print(f"torch {torch.__version__}, one thread, batches of {BATCH}; samples per CPU second")
    for name in SHAPES:
        compare_speed(name, wanted.rounds, wanted.steps)
    if wanted.epochs:
        compare_quality(wanted.epochs)


if __name__ == "__main__":
    main()

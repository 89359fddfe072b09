"""Runs that nobody trained, for tests of what reads them: the truth is known and they cost nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from nearid_core.runs import Run, RunStore
from nearid_core.training import TrainConfig

N = 240
CONFIG = TrainConfig("digits", "autoencoder", latent_dim=3, epochs=4, options={"n": N})


def fabricate_run(store: RunStore, seed: int, config: TrainConfig = CONFIG, *, n: int = N, **changes: Any) -> Run:
    """A finished run whose latent is the same Laplace sources as every other's, rotated by its seed, with some noise.

    changes : entries of the record to replace.
    """
    rng = np.random.default_rng(seed)
    sources = np.random.default_rng(123).laplace(size=(n, config.latent_dim))
    turn = np.linalg.qr(rng.normal(size=(config.latent_dim, config.latent_dim)))[0]
    latent = sources @ turn + 0.05 * rng.normal(size=sources.shape)
    record = {**describe(config, seed), **changes}
    with store.begin(record["id"], {"config": config.to_dict(), "seed": seed}) as writer:
        return writer.finish(
            record,
            samples=samples(n),
            layers={"encoder_1": np.tanh(latent).astype(np.float32), "latent": latent.astype(np.float32)},
            history=history(seed),
        )


def fabricate_runs(store: RunStore, seeds: Iterable[int], config: TrainConfig = CONFIG, **changes: Any) -> list[Run]:
    return [fabricate_run(store, seed, config, **changes) for seed in seeds]


def fabricate_failure(store: RunStore, seed: int, config: TrainConfig = CONFIG) -> Run:
    reason = f"The loss of seed {seed} was not finite at step 12 of 40; train again with a lower learning rate."
    record = describe(config, seed) | {"status": "failed", "reason": reason, "metrics": {}}
    with store.begin(record["id"], {"config": config.to_dict(), "seed": seed}) as writer:
        return writer.finish(record)


def describe(config: TrainConfig, seed: int) -> dict[str, Any]:
    return {
        "id": config.run_id(seed),
        "set": config.set_id,
        "seed": seed,
        "status": "done",
        "config": config.to_dict(),
        "dataset": {"name": config.dataset, "digest": "d", "label": "digit", "factors": ["digit"], "image_shape": None},
        "metrics": {"test_loss": 1.0 + seed / 100},
        "plan": {"device": "cpu", "seeds": [seed]},
        "created": f"2026-01-0{1 + seed % 9}T10:00:00+00:00",
        "seconds": 2.0,
    }


def samples(n: int) -> pd.DataFrame:
    """All held back, two classes."""
    ids = [f"digit-{row:04d}" for row in range(n)]
    return pd.DataFrame({"sample_id": ids, "split": "test", "digit": np.arange(n) % 2})


def history(seed: int) -> pd.DataFrame:
    epochs = np.arange(1, 5)
    loss = (1.0 + 0.1 * seed) / epochs
    return pd.DataFrame({"epoch": epochs, "step": 10 * epochs, "seconds": 0.5 * epochs, "loss": loss})

"""Independent sources seen through a random smooth map whose distortion is known exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from nearid_core.datasets.dataset import DATA_SEED, DATASETS, Dataset
from nearid_core.datasets.split import split_column
from nearid_core.errors import InvalidInput
from nearid_core.options import Option

TEST_SHARE = 0.5
FREQUENCY = 2.0  # of the wiggle, in radians per unit: a source of unit variance crosses about a whole period

Law = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]

LAWS: dict[str, Law] = {  # each of mean 0 and variance 1
    "laplace": lambda rng, shape: rng.laplace(scale=np.sqrt(0.5), size=shape),
    "uniform": lambda rng, shape: rng.uniform(-np.sqrt(3.0), np.sqrt(3.0), size=shape),
    "arcsine": lambda rng, shape: np.sqrt(2.0) * np.sin(rng.uniform(-np.pi, np.pi, size=shape)),
    "gaussian": lambda rng, shape: rng.standard_normal(shape),
}


@dataclass(frozen=True, eq=False)
class SmoothMixing:
    """x -> g(Q x), once a layer, with g(u) = u + a sin(w u + p) / w elementwise.

    rotations : one matrix with orthonormal columns a layer; the first may also embed, (observed, sources).
    phases : (observed,) p, one a layer.
    amplitude : a, in [0, 1).

    g' lies in [1 - a, 1 + a] and Q keeps lengths, so the map stretches the distance of any two points by a factor
    within `bounds`, and the singular values of its Jacobian lie there too.
    """

    rotations: tuple[np.ndarray, ...]
    phases: tuple[np.ndarray, ...]
    amplitude: float

    def __call__(self, sources: np.ndarray) -> np.ndarray:
        """(N, sources) to (N, observed), float64."""
        mixed = np.asarray(sources, dtype=np.float64)
        for rotation, phase in zip(self.rotations, self.phases, strict=True):
            turned = mixed @ rotation.T
            mixed = turned + self.amplitude * np.sin(FREQUENCY * turned + phase) / FREQUENCY
        return mixed

    @property
    def bounds(self) -> tuple[float, float]:
        """Smallest and largest singular value that the Jacobian can have."""
        layers = len(self.rotations)
        return (1 - self.amplitude) ** layers, (1 + self.amplitude) ** layers

    @property
    def condition(self) -> float:
        lowest, highest = self.bounds
        return highest / lowest


def random_mixing(rng: np.random.Generator, sources: int, observed: int, layers: int, condition: float) -> SmoothMixing:
    """A mixing drawn at random whose bounds have the ratio `condition`; 1 is an isometry.

    The first layer embeds, so that the others bend the sources' space within all observed dimensions.
    """
    ratio = condition ** (1 / layers)
    widths = [sources] + [observed] * (layers - 1)
    return SmoothMixing(
        rotations=tuple(np.linalg.qr(rng.standard_normal((observed, width)))[0] for width in widths),
        phases=tuple(rng.uniform(0, 2 * np.pi, observed) for _ in widths),
        amplitude=(ratio - 1) / (ratio + 1),
    )


@dataclass(frozen=True)
class NonlinearMixing:
    """The truth is known: the sources stand in `samples`, the mixing's condition number in the options."""

    name: str = "nonlinear_mixing"
    description: str = "independent sources through a random smooth map of chosen condition number; the truth is known"
    default_epochs: int = 160  # 2,400 steps of 128 at the usual 4,000 samples
    options: tuple[Option, ...] = (
        Option("n", 4000, int, "Samples drawn; half of them are held back.", 20, 1_000_000),
        DATA_SEED,
        Option("sources", 4, int, "Independent sources; a latent of this width can hold them all.", 1, 256),
        Option("observed", 16, int, "Observed features, at least as many as sources.", 1, 4096),
        Option(
            "law",
            "laplace",
            str,
            "How each source is distributed; ICA cannot find gaussian ones.",
            choices=tuple(LAWS),
        ),
        Option(
            "condition",
            3.0,
            float,
            "How far the map stretches some directions more than others, at most; 1 keeps all distances.",
            1.0,
            1000.0,
        ),
        Option("mixing_layers", 2, int, "Layers of the map; more bend it more often, the condition stays.", 1, 16),
    )

    def load(self, *, n: int | None, data_seed: int, **options: Any) -> Dataset:
        sources, observed = options["sources"], options["observed"]
        if observed < sources:
            raise InvalidInput(
                f"observed is {observed} and sources is {sources}; fewer features than sources lose some of them, so "
                f"set observed to {sources} or more."
            )
        count = self.options[0].default if n is None else n
        rng = np.random.default_rng(data_seed)
        mixing = random_mixing(rng, sources, observed, options["mixing_layers"], options["condition"])
        drawn = LAWS[options["law"]](rng, (count, sources))
        ids = [f"sample-{row:07d}" for row in range(count)]
        names = [f"source_{number}" for number in range(1, sources + 1)]
        split = split_column(ids, data_seed, TEST_SHARE)
        return Dataset(
            name=self.name,
            features=mixing(drawn).astype(np.float32),
            samples=pd.DataFrame({"sample_id": ids, "split": split} | dict(zip(names, drawn.T, strict=True))),
            factor_names=tuple(names),
            options={"n": count, "data_seed": data_seed, **options},
        )


NONLINEAR_MIXING = DATASETS.register(NonlinearMixing())

"""What one component does: decoded along its range, everything else held still."""

from __future__ import annotations

import numpy as np

from nearid_core.components.of_run import run_halves
from nearid_core.errors import InvalidInput
from nearid_core.factors.of_run import live_components
from nearid_core.factors.spaces import Coordinates, coordinates_of
from nearid_core.results import ResultCache
from nearid_core.runs import Run

LAYER = "latent"  # what a decoder starts from
RANGE = (0.025, 0.975)  # quantiles of the component over the samples, that a traversal stays within


def traverse(
    run: Run,
    component: int,
    *,
    space: str = "ica",
    steps: int = 9,
    around: str | None = None,
    samples: str = "test",
    split_seed: int = 0,
    cache: ResultCache | None = None,
) -> np.ndarray:
    """Decode a run's latents along one component, from its 2.5 % to its 97.5 % quantile over the samples.

    component : its number in the space. space : ``ica``, ``pca``, ``random`` (the first draw) or ``raw``.
    steps : how many images. around : the sample, by its id, that all else is taken from (default: the mean latent).

    Returns (steps, channels, height, width) float32, or (steps, features) where samples are no images.

    Raises InvalidInput for a run without a decoder, and for a component, space or sample that there is not.
    """
    from nearid_core.training.stored_model import load_model

    if steps < 2:
        raise InvalidInput(f"steps is {steps}; expected a whole number, 2 or more.")
    latents = path_of_latents(
        run, component, space=space, steps=steps, around=around, samples=samples, split_seed=split_seed, cache=cache
    )
    decoded = _decoded(load_model(run), latents)
    shape = run.dataset.get("image_shape")
    return decoded.reshape(steps, *shape) if shape else decoded


def can_traverse(run: Run, layer: str) -> bool:
    """Whether a decoder starts at this layer of this run."""
    return run.config is not None and layer == LAYER and run.status == "done"


def path_of_latents(
    run: Run,
    component: int,
    *,
    space: str,
    steps: int,
    around: str | None,
    samples: str,
    split_seed: int,
    cache: ResultCache | None = None,
) -> np.ndarray:
    """(steps, D) latents on the line that the component moves along; see `traverse`."""
    fitted = live_components(run, LAYER, samples=samples, split_seed=split_seed, cache=cache)
    at = coordinates_of([space], fitted, split_seed)[0]
    if not 0 <= component < len(at.matrix):
        raise InvalidInput(f"There is no component {component} in space {space}; it has 0 to {len(at.matrix) - 1}.")
    representation = run.representation(LAYER)
    seen = at(representation.values[run_halves(run, samples, split_seed).rows])[:, component]
    start = at.mean if around is None else np.asarray(representation.values[_row(run, around)], dtype=np.float64)
    low, high = np.quantile(seen, RANGE)
    return along(at, component, start, np.linspace(low, high, steps))


def along(at: Coordinates, component: int, start: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(steps, D) points that have these values of one component, and all else as `start` has it."""
    direction = np.linalg.pinv(at.matrix)[:, component]
    now = at(start[None])[0, component]
    return start + (values - now)[:, None] * direction


def _row(run: Run, sample_id: str) -> int:
    rows = np.flatnonzero((run.samples["sample_id"] == sample_id).to_numpy())
    if not len(rows):
        raise InvalidInput(f"Run {run.id} has no sample {sample_id!r}; take one of its sample ids.")
    return int(rows[0])


def _decoded(model, latents: np.ndarray) -> np.ndarray:  # type: ignore[no-untyped-def]
    import torch

    with torch.no_grad():
        return model.decode(torch.from_numpy(latents.astype(np.float32))).flatten(1).numpy()

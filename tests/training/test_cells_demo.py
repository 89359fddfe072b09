"""The run on cells that ships: its samples, weights and latents are those that its record says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

import nearid_core as nid
from nearid_core.datasets import CELLS, Dataset
from nearid_core.models import FAMILIES
from nearid_core.runs import Run

STORE = Path(__file__).parents[2] / "data" / "demo" / "runs"


@pytest.fixture(scope="module")
def run() -> Run:
    (only,) = nid.RunStore(STORE).runs("cells")
    return only


@pytest.fixture(scope="module")
def screen(run: Run) -> Dataset:
    assert run.config is not None
    return CELLS.load(**run.config.dataset_options)


def test_the_run_knows_its_batches_wells_and_controls(run: Run, screen: Dataset) -> None:
    assert {key: run.dataset[key] for key in screen.roles} == screen.roles
    assert {run.dataset[role] for role in ("batch", "group", "position", "label")} <= set(run.samples.columns)


def test_its_samples_are_those_that_the_dataset_draws_today(run: Run, screen: Dataset) -> None:
    pd.testing.assert_frame_equal(run.samples, screen.samples, check_dtype=False, rtol=1e-5, atol=1e-5)


def test_its_weights_give_its_latents_of_the_images_that_are_rendered_today(run: Run, screen: Dataset) -> None:
    model = FAMILIES[run.config.family].build(run.config, screen.sample_shape)
    model.load_state_dict({name: torch.tensor(value) for name, value in run.weights().items()})
    with torch.no_grad():
        latent = model.encode(torch.from_numpy(screen.features)).numpy()
    np.testing.assert_allclose(latent, run.representation("latent").values, atol=1e-3 * np.abs(latent).max())


def test_its_latents_tell_every_factor_of_cells_it_was_not_trained_on(run: Run) -> None:
    latent = np.asarray(run.representation("latent").values, dtype=float)
    factors = run.samples[run.dataset["factors"]].to_numpy(dtype=float)
    trains = (run.samples["split"] == "train").to_numpy()
    inputs = np.column_stack([np.ones(len(latent)), latent])
    weights = np.linalg.lstsq(inputs[trains], factors[trains])[0]
    unexplained = (factors - inputs @ weights)[~trains].var(0) / factors[~trains].var(0)
    assert (unexplained < 0.4).all()
    assert unexplained.mean() < 0.2

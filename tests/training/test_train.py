"""`nid.train`: the seed decides everything, and the run says how it came about."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

import nearid_core as nid
from nearid_core.training.fit import initial_model
from tests.training.same import assert_same_run

Configured = Callable[..., nid.TrainConfig]


def test_the_same_seed_gives_the_same_weights(small: Configured, tmp_path: Path) -> None:
    first, again = (nid.train(small(), [0, 1], nid.RunStore(tmp_path / name)) for name in "ab")
    for one, other in zip(first, again, strict=True):
        assert_same_run(one, other)


@pytest.mark.parametrize("hidden", [(13, 7), (64, 64)])
def test_a_seeds_weights_do_not_depend_on_its_company(
    small: Configured, tmp_path: Path, hidden: tuple[int, ...]
) -> None:
    config = small(hidden=hidden, weight_decay=0.1)
    among_five = nid.train(config, "0-4", nid.RunStore(tmp_path / "five"))
    alone = nid.train(config, [3], nid.RunStore(tmp_path / "alone"))
    pair = nid.train(config, [2, 3], nid.RunStore(tmp_path / "pair"))
    assert_same_run(among_five[3], alone[0])
    assert_same_run(among_five[3], pair[1])


def test_the_callers_random_state_and_threads_are_left_alone(small: Configured, tmp_path: Path) -> None:
    torch.manual_seed(5)
    expected, before = torch.rand(3), torch.get_num_threads()
    torch.manual_seed(5)
    run = nid.train(small(), [0], nid.RunStore(tmp_path / "a"))[0]
    assert torch.equal(torch.rand(3), expected)
    assert torch.get_num_threads() == before
    torch.manual_seed(6)
    assert_same_run(run, nid.train(small(), [0], nid.RunStore(tmp_path / "b"))[0])


@pytest.mark.usefixtures("one_after_the_other")
def test_one_after_the_other_is_the_same_training_up_to_rounding(
    small: Configured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looped = nid.train(small(), [0, 1], nid.RunStore(tmp_path / "loop"))
    monkeypatch.undo()
    stacked = nid.train(small(), [0, 1], nid.RunStore(tmp_path / "stack"))
    assert [run.plan["execution"] for run in (looped[0], stacked[0])] == ["loop", "stacked"]
    assert [run.plan["seeds"] for run in looped] == [[0], [1]]
    for one, other in zip(looped, stacked, strict=True):
        for name, values in one.weights().items():
            np.testing.assert_allclose(values, other.weights()[name], atol=1e-4)


def test_seeds_differ(small: Configured, store: nid.RunStore) -> None:
    first, second = nid.train(small(), [0, 1], store)
    assert first.representation("latent").digest != second.representation("latent").digest


def test_training_learns_what_there_is_to_learn(small: Configured, store: nid.RunStore) -> None:
    config = small(condition=1, sources=2, observed=4, latent_dim=2, epochs=150, learning_rate=0.01, negative_slope=1)
    run = nid.train(config, [0], store)[0]
    assert run.metrics["test_r2"] > 0.95
    assert run.history["loss"].iloc[-1] < 0.1 * run.history["loss"].iloc[0]


def test_an_orthonormal_decoder_is_orthonormal_when_training_is_over(small: Configured, store: nid.RunStore) -> None:
    config = small(decoder="orthonormal", learning_rate=0.01, weight_decay=0.1)
    for run in nid.train(config, [0, 1], store):
        for number in range(3):
            weight = run.weights()[f"decoder.{number}.weight"].astype(float)
            np.testing.assert_allclose(weight.T @ weight, np.eye(weight.shape[1]), atol=1e-5)


def test_representations_are_the_layers_of_the_stored_weights(small: Configured, store: nid.RunStore) -> None:
    run = nid.train(small(), [1], store)[0]
    assert run.config is not None
    data = nid.load_dataset("nonlinear_mixing", n=256)
    model = initial_model(run.config, (16,), seed=0)
    model.load_state_dict({name: torch.from_numpy(value.copy()) for name, value in run.weights().items()})
    with torch.no_grad():
        layers = model.layers(torch.from_numpy(data.features))  # type: ignore[operator]
    assert run.layers == list(layers)
    for name, expected in layers.items():
        stored = run.representation(name)
        assert stored.values.dtype == np.float32
        np.testing.assert_allclose(stored.values, expected.numpy(), atol=1e-5)
    test = (data.samples["split"] == "test").to_numpy()
    error = np.square(layers["output"].numpy() - data.features).sum(1)
    assert run.metrics["test_loss"] == pytest.approx(error[test].mean(), rel=1e-4)
    assert run.metrics["train_loss"] == pytest.approx(error[~test].mean(), rel=1e-4)
    total = np.square(data.features[test] - data.features[test].mean(0)).sum()
    assert run.metrics["test_r2"] == pytest.approx(1 - error[test].sum() / total, rel=1e-3)
    assert run.samples.equals(data.samples)


def test_the_record_says_what_made_the_run(small: Configured, store: nid.RunStore) -> None:
    config = small()
    run = nid.train(config, "0,3", store)[1]
    assert (run.id, run.set_id, run.seed, run.status) == (config.run_id(3), config.set_id, 3, "done")
    assert run.config == config
    assert run.plan == {
        "execution": "stacked",
        "device": "cpu",
        "threads": 1,
        "at_once": run.plan["at_once"],
        "torch": torch.__version__,
        "precision": "float32",
        "seeds": [0, 3],
    }
    assert set(run.versions) == {"python", "numpy", "torch", "nearid"}
    assert run.dataset["digest"] == nid.load_dataset("nonlinear_mixing", n=256).digest
    assert (run.dataset["n"], run.dataset["n_features"], run.dataset["factors"][0]) == (256, 16, "source_1")
    assert run.created.endswith("+00:00")
    assert run.seconds > 0
    assert run.record["cpu_seconds"] > 0


def test_history_has_one_row_an_epoch(small: Configured, store: nid.RunStore) -> None:
    history = nid.train(small(), [0], store)[0].history
    assert history["epoch"].tolist() == list(range(1, 11))
    assert history["step"].tolist() == list(range(4, 44, 4))
    assert history["seconds"].is_monotonic_increasing
    assert history["test_loss"].notna().all(), "read about twenty times, so at ten epochs in each"


def test_only_the_layers_asked_for_are_kept_in_the_models_order(small: Configured, store: nid.RunStore) -> None:
    run = nid.train(small(), [0], store, layers=["output", "latent"])[0]
    assert run.layers == ["latent", "output"]
    with pytest.raises(nid.InvalidInput, match="without layer encoder_1; delete it"):
        nid.train(small(), [0], store, layers=["encoder_1"])


def test_a_finished_run_is_returned_and_not_trained_again(small: Configured, store: nid.RunStore) -> None:
    first = nid.train(small(), [0], store)[0]
    written = (first.path / "run.json").stat().st_mtime_ns
    told: list[nid.Progress] = []
    both = nid.train(small(), [0, 1], store)
    nid.train(small(), [0, 1], store, on_progress=told.append)
    assert [run.seed for run in both] == [0, 1]
    assert (first.path / "run.json").stat().st_mtime_ns == written
    assert [one.fraction for one in told] == [1.0]


@pytest.mark.usefixtures("tell_every_step")
def test_progress_counts_steps_and_ends_at_all_of_them(small: Configured, store: nid.RunStore) -> None:
    told: list[nid.Progress] = []
    nid.train(small(), [0, 1], store, on_progress=told.append)
    assert [one.done for one in told] == [*range(1, 41), 40]
    assert {one.total for one in told} == {40}
    assert told[0].what == "Training seeds 0 and 1"
    assert set(told[5].detail["loss"]) == {0, 1}
    assert told[5].detail["samples_per_second"] > 0
    assert all(before.seconds <= after.seconds for before, after in itertools.pairwise(told))


@pytest.mark.usefixtures("tell_every_step", "one_after_the_other")
def test_progress_of_seeds_one_after_the_other_counts_the_steps_of_all(small: Configured, store: nid.RunStore) -> None:
    told: list[nid.Progress] = []
    nid.train(small(), [0, 1], store, on_progress=told.append)
    assert [one.done for one in told] == [*range(1, 81), 80]
    assert {one.total for one in told} == {80}


def test_a_batch_larger_than_the_data_takes_all_of_it(small: Configured, store: nid.RunStore) -> None:
    history = nid.train(small(batch_size=1000), [0], store)[0].history
    assert history["step"].tolist() == list(range(1, 11))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"seeds": "a-b"}, "Seeds are 'a-b'"),
        ({"device": "cud"}, "did you mean 'cuda'"),
        ({"layers": ["latnt"]}, "did you mean 'latent'"),
        ({"layers": []}, "expected a list of names out of encoder_1"),
        ({"config": {"decoder": "orthonormal", "latent_dim": 40}}, "found 40 -> 40 -> 40 -> 16"),
        ({"config": {"sources": 20}}, "observed is 16 and sources is 20"),
    ],
)
def test_what_cannot_be_trained_changes_nothing(
    small: Configured, store: nid.RunStore, wrong: dict[str, object], sentence: str
) -> None:
    given = {"seeds": [0], **wrong}
    config = small(**given.pop("config", {}))  # type: ignore[arg-type]
    with pytest.raises(nid.InvalidInput, match=sentence):
        nid.train(config, given.pop("seeds"), store, **given)  # type: ignore[arg-type]
    assert not store.path.exists()


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_cuda_where_there_is_none_is_one_sentence(small: Configured, store: nid.RunStore) -> None:
    with pytest.raises(nid.InvalidInput, match="no CUDA device"):
        nid.train(small(), [0], store, device="cuda")
    assert not store.path.exists()


def test_a_store_that_cannot_be_written_is_named_before_training(small: Configured, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(nid.InvalidInput, match="cannot be written"):
        nid.train(small(), [0], nid.RunStore(tmp_path / "file" / "store"))


def test_a_damaged_run_of_the_same_id_is_named_and_not_overwritten(small: Configured, store: nid.RunStore) -> None:
    run = nid.train(small(), [0], store)[0]
    (run.path / "run.json").write_text("{")
    with pytest.raises(nid.CorruptRun, match="delete the folder"):
        nid.train(small(), [0, 1], store)
    assert (run.path / "run.json").read_text() == "{"
    assert store.unfinished() == []

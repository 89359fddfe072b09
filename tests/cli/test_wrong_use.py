"""Wrong use is exit code 2, one sentence on stderr, and nothing changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import TINY, Nearid


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--set", "latent_dim=0"], "latent_dim is '0'; expected a whole number from 1 to 4096."),
        (["--set", "latent_dmi=3"], "did you mean 'latent_dim'?"),
        (["--set", "latent_dim"], "write it as --set key=value"),
        (["--dataset", "digit"], "did you mean 'digits'?"),
        (["--family", "autoencodr"], "did you mean 'autoencoder'?"),
        (["--seeds", "a-b"], "Seeds are 'a-b'; expected whole numbers and ranges"),
        (["--seeds", "3-1"], "runs backwards"),
        (["--layers", "latnt"], "did you mean 'latent'?"),
        (["--device", "gpu"], "There is no device 'gpu'"),
        (["--latent-dim", "3"], "nearid train does not take --latent-dim 3; see nearid train --help."),
    ],
)
def test_training_refuses_before_it_writes(nearid: Nearid, tmp_path: Path, arguments: list[str], sentence: str) -> None:
    outcome = nearid("train", *TINY, "--store", tmp_path / "S", *arguments)
    assert outcome.code == 2
    assert len(outcome.sentences) == 1
    assert sentence in outcome.err
    assert outcome.out == ""
    assert not (tmp_path / "S").exists()


@pytest.mark.parametrize("path", ["file", "file/below"])
def test_a_store_that_cannot_be_written_is_one_sentence(nearid: Nearid, tmp_path: Path, path: str) -> None:
    (tmp_path / "file").write_text("in the way")
    outcome = nearid("train", *TINY, "--store", tmp_path / path)
    assert outcome.code == 2
    assert len(outcome.sentences) == 1
    assert "The store" in outcome.err
    assert (tmp_path / "file").read_text() == "in the way"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["trian"], "did you mean 'train'?"),
        (["runs", "delet"], "did you mean 'delete'?"),
        (["runs", "delete"], "needs the id of a run"),
        (
            ["train"],
            "nearid train: the following arguments are required: --dataset, --family; see nearid train --help.",
        ),
        (["app", "--port", "99999"], "expected 1 to 65535"),
    ],
)
def test_a_wrong_verb_or_argument_is_one_sentence(nearid: Nearid, arguments: list[str], sentence: str) -> None:
    outcome = nearid(*arguments)
    assert (outcome.code, len(outcome.sentences), outcome.out) == (2, 1, "")
    assert sentence in outcome.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--layer", "latnt"], "did you mean 'latent'?"),
        (["--groups", "rigd"], "did you mean 'rigid'?"),
        (["--dataset", "digits"], "There are no digits runs in"),
        (["--set-id", "nothing"], "There is no run set in"),
        (["--runs", "nothing"], "There is no run in"),
        (["--out", "table.xls"], "There is no table format '.xls'"),
        (["--out", "nowhere/table.csv"], "there is no folder"),
        (["a.npy", "b.npy", "--layer", "latent"], "compare either arrays or runs of a store"),
    ],
)
def test_compare_refuses_what_is_not_there(nearid: Nearid, trained: Path, arguments: list[str], sentence: str) -> None:
    outcome = nearid("compare", "--store", trained, *arguments)
    assert (outcome.code, len(outcome.sentences), outcome.out) == (2, 1, "")
    assert sentence in outcome.err


def test_one_run_cannot_be_compared(nearid: Nearid, store: Path) -> None:
    first = sorted(path for path in store.glob("nonlinear*"))[0]
    nearid("runs", "delete", first.name, "--store", store)
    outcome = nearid("compare", "--store", store)
    assert outcome.code == 2
    assert "has 1 finished run; a comparison needs two." in outcome.err


def test_an_empty_store_says_what_to_do(nearid: Nearid, tmp_path: Path) -> None:
    outcome = nearid("compare", "--store", tmp_path / "none")
    assert outcome.code == 2
    assert "make some with nearid train" in outcome.err
    assert not (tmp_path / "none").exists()


def test_several_run_sets_are_listed(nearid: Nearid, store: Path) -> None:
    nearid("train", *TINY, "--set", "latent_dim=3", "--seeds", "0-1", "--store", store)
    outcome = nearid("compare", "--store", store)
    assert outcome.code == 2
    assert "There are 2 run sets in" in outcome.err
    assert "latent dim 3" in outcome.err
    assert "latent dim 4" in outcome.err

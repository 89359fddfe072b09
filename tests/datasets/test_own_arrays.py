"""A file of one's own as a dataset: its numbers, standardised on the training rows alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nearid_core as nid
from nearid_core.cli import main
from nearid_core.training import TrainConfig

N, D = 80, 3


@pytest.fixture
def values() -> np.ndarray:
    return (np.random.default_rng(2).normal(size=(N, D)) * [1, 10, 100] + [5, 0, -7]).astype(np.float32)


@pytest.fixture
def table(values: np.ndarray) -> pd.DataFrame:
    features = pd.DataFrame(values, columns=["area", "texture", "dna"])
    known = {"Metadata_Plate": np.arange(N) % 4, "compound": ["DMSO", "taxol"] * (N // 2)}
    return pd.DataFrame({"sample_id": [f"well-{row}" for row in range(N)], **known}).join(features)


def load(path: Path, **options: object) -> nid.Dataset:
    return nid.load_dataset("arrays", path=str(path), **options)


def write(values: np.ndarray, table: pd.DataFrame, path: Path) -> Path:
    writers = {
        ".npy": lambda: np.save(path, values),
        ".npz": lambda: np.savez(path, embedding=values),
        ".csv": lambda: table.to_csv(path, index=False),
        ".tsv": lambda: table.to_csv(path, index=False, sep="\t"),
        ".parquet": lambda: table.to_parquet(path),
    }
    writers[path.suffix]()
    return path


@pytest.mark.parametrize("suffix", [".npy", ".npz", ".csv", ".tsv", ".parquet"])
def test_the_features_are_the_files_numbers(
    values: np.ndarray, table: pd.DataFrame, tmp_path: Path, suffix: str
) -> None:
    dataset = load(write(values, table, tmp_path / f"own{suffix}"), standardise=False)
    assert dataset.features.dtype == np.float32
    np.testing.assert_array_equal(dataset.features, values)
    assert set(dataset.samples["split"]) == {"train", "test"}


def test_standardising_looks_at_the_training_rows_only(values: np.ndarray, table: pd.DataFrame, tmp_path: Path) -> None:
    path = write(values, table, tmp_path / "own.parquet")
    dataset = load(path)
    trains = (dataset.samples["split"] == "train").to_numpy()
    np.testing.assert_allclose(dataset.features[trains].mean(0), 0, atol=1e-6)
    np.testing.assert_allclose(dataset.features[trains].std(0), 1, atol=1e-6)
    expected = (values - values[trains].mean(0, dtype=float)) / values[trains].std(0, dtype=float)
    np.testing.assert_allclose(dataset.features, expected, rtol=1e-5, atol=1e-6)


def test_a_constant_column_becomes_zero(values: np.ndarray, table: pd.DataFrame, tmp_path: Path) -> None:
    values[:, 1] = 3.0
    dataset = load(write(values, table, tmp_path / "own.npy"))
    assert not dataset.features[:, 1].any()


def test_other_columns_stay_beside_the_samples(values: np.ndarray, table: pd.DataFrame, tmp_path: Path) -> None:
    dataset = load(write(values, table, tmp_path / "own.csv"), label="compound")
    assert list(dataset.samples) == ["sample_id", "split", "Metadata_Plate", "compound"]
    assert dataset.samples["sample_id"].tolist() == table["sample_id"].tolist()
    assert (dataset.label, dataset.factor_names) == ("compound", ("compound",))


def test_a_split_that_the_file_has_is_kept(values: np.ndarray, table: pd.DataFrame, tmp_path: Path) -> None:
    path = write(values, table.assign(split=["train", "train", "train", "test"] * 20), tmp_path / "own.csv")
    assert (load(path).samples["split"] == "test").sum() == 20
    path = write(values, table.assign(split="validation"), tmp_path / "other.csv")
    with pytest.raises(nid.InvalidInput, match="other values than train and test"):
        load(path)


def test_a_subset_keeps_each_row_under_its_id(values: np.ndarray, table: pd.DataFrame, tmp_path: Path) -> None:
    path = write(values, table, tmp_path / "own.parquet")
    part = load(path, n=30, standardise=False)
    rows = part.samples["sample_id"].str.removeprefix("well-").astype(int).to_numpy()
    assert len(rows) == 30
    np.testing.assert_array_equal(part.features, values[rows])


def test_one_of_several_arrays_is_chosen_by_name(values: np.ndarray, tmp_path: Path) -> None:
    np.savez(tmp_path / "own.npz", first=values, second=values[:, :2])
    assert load(tmp_path / "own.npz", array="second").features.shape == (N, 2)
    with pytest.raises(nid.InvalidInput, match="array can be first, second"):
        load(tmp_path / "own.npz")


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
@pytest.mark.parametrize("suffix", [".npy", ".parquet", ".csv"])
def test_a_missing_number_is_refused_with_its_place(
    values: np.ndarray, table: pd.DataFrame, tmp_path: Path, wrong: float, suffix: str
) -> None:
    values[12, 2], table.loc[12, "dna"] = wrong, wrong
    place = "row 13, column '2'" if suffix == ".npy" else "row 13, column 'dna'"
    with pytest.raises(nid.InvalidInput, match=place):
        load(write(values, table, tmp_path / f"own{suffix}"))


def test_a_number_beyond_float32_is_refused(values: np.ndarray, table: pd.DataFrame, tmp_path: Path) -> None:
    table["area"] = table["area"].astype(float)
    table.loc[3, "area"] = 1e39
    with pytest.raises(nid.InvalidInput, match="beyond 3e38, the first in row 4, column 'area'"):
        load(write(values, table, tmp_path / "own.parquet"))


@pytest.mark.parametrize(
    ("changes", "options", "message"),
    [
        ({"sample_id": "twice"}, {}, "'twice' once more in row 2"),
        ({"compound": None}, {"label": "compound"}, "has no value in row 1"),
        ({}, {"label": "compund"}, "did you mean 'compound'"),
        ({}, {"n": N + 1}, "has 80 rows"),
        ({"area": ["x", *["1.5"] * (N - 1)]}, {}, "holds numbers and 1 other values"),
    ],
)
def test_what_cannot_be_trained_on_is_one_sentence(
    table: pd.DataFrame, tmp_path: Path, changes: dict, options: dict, message: str
) -> None:
    table.assign(**changes).to_csv(tmp_path / "own.csv", index=False)
    with pytest.raises(nid.InvalidInput, match=message):
        load(tmp_path / "own.csv", **options)


def test_no_file_and_too_few_rows_are_said(tmp_path: Path) -> None:
    with pytest.raises(nid.InvalidInput, match="set path to a table or an array"):
        nid.load_dataset("arrays", path="")  # as an empty field of a form
    with pytest.raises(nid.InvalidInput, match="There is no file"):
        load(tmp_path / "absent.npy")
    np.save(tmp_path / "few.npy", np.ones((19, 2)))
    with pytest.raises(nid.InvalidInput, match="19 rows; training needs 20"):
        load(tmp_path / "few.npy")


def test_pickles_are_never_opened(tmp_path: Path) -> None:
    np.save(tmp_path / "own.npy", np.array([object()] * 30), allow_pickle=True)
    with pytest.raises(nid.UnsupportedFormat):
        load(tmp_path / "own.npy")


def test_the_terminal_trains_on_a_table(values: np.ndarray, table: pd.DataFrame, tmp_path: Path) -> None:
    path, store = write(values, table, tmp_path / "own.csv"), tmp_path / "store"
    settings = [f"path={path}", "label=compound", "epochs=2", "latent_dim=2", "hidden=8"]
    command = ["train", "--dataset", "arrays", "--family", "autoencoder", "--seeds", "0-1", "--store", str(store)]
    command += [word for setting in settings for word in ("--set", setting)]
    assert main(command) == 0
    run = nid.RunStore(store).runs()[0]
    assert (run.label, run.samples["compound"].tolist()) == ("compound", table["compound"].tolist())
    assert run.config is not None
    assert TrainConfig.from_json(run.config.to_json()) == run.config
    assert main(command) == 0, "the runs are there already"
    table.assign(area=0.0).to_csv(path, index=False)
    assert main(command) == 2, "trained on what the file held then"

"""Several files are runs, layers or batches; one table can hold several runs."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nearid_core as nid
from nearid_core.exchange import Features, Mapping, preview
from nearid_core.runs import RunStore


@pytest.fixture
def files(table: pd.DataFrame, tmp_path: Path) -> list[Path]:
    """The same forty samples twice, in another order."""
    table = table.assign(id=[f"s{i}" for i in range(40)])
    paths = [tmp_path / "emb_seed0.csv", tmp_path / "emb_seed1.csv"]
    table.to_csv(paths[0], index=False)
    table[::-1].to_csv(paths[1], index=False)
    return paths


def test_files_are_runs_with_the_seed_in_their_names(files: list[Path], store: RunStore) -> None:
    runs = nid.import_runs(files, store, mapping=Mapping(files="runs", sample_id=("id",)))
    assert [run.seed for run in runs] == [0, 1]
    assert len(store.sets()) == 1
    table = nid.compare(runs, groups=("identity",)).table
    assert table["mean"].max() < 1e-6  # the same numbers, in whatever order they stand


def test_several_files_without_a_meaning_are_asked_for(files: list[Path], store: RunStore) -> None:
    mapping = Mapping(sample_id=("id",))
    assert not preview(files, mapping).ready
    with pytest.raises(nid.InvalidInput, match="Say what the 2 files are"):
        nid.import_runs(files, store, mapping=mapping)


def test_files_are_layers_in_the_order_of_the_first(files: list[Path], store: RunStore) -> None:
    (run,) = nid.import_runs(files, store, mapping=Mapping(files="layers", sample_id=("id",)))
    assert run.layers == ["emb_seed0", "emb_seed1"]
    first, second = (run.representation(layer).values for layer in run.layers)
    np.testing.assert_array_equal(first, second)
    assert run.is_table


def test_files_are_batches_below_each_other(files: list[Path], store: RunStore) -> None:
    (run,) = nid.import_runs(files, store, mapping=Mapping(files="batches", file_pattern=r"(seed\d)"))
    assert run.dataset["batch"] == "batch"
    assert run.samples["batch"].value_counts().to_dict() == {"seed0": 40, "seed1": 40}
    values = run.representation("embedding").values
    np.testing.assert_array_equal(values[:40], values[40:][::-1])


def test_batches_with_other_columns_offer_what_they_share(files: list[Path], store: RunStore) -> None:
    second = pd.read_csv(files[1])
    second[["Cells_4", "Cells_0", "Cells_1", "Cells_2", "Cells_9"]] = second[[f"Cells_{j}" for j in (4, 0, 1, 2, 3)]]
    second.drop(columns="Cells_3").to_csv(files[1], index=False)
    mapping = Mapping(files="batches", features=Features(prefix=("Cells_",)))
    (problem,) = preview(files, mapping).problems
    assert (problem.kind, problem.columns, problem.stops) == ("columns_differ", ("Cells_3", "Cells_9"), True)
    (run,) = nid.import_runs(files, store, mapping=mapping, choices={"columns_differ": "intersection"})
    assert run.feature_names("embedding") == ["Cells_0", "Cells_1", "Cells_2", "Cells_4"]
    values = run.representation("embedding").values
    np.testing.assert_array_equal(values[:40], values[40:][::-1])


def test_samples_that_only_some_runs_have_are_counted(files: list[Path], store: RunStore) -> None:
    pd.read_csv(files[1])[5:].to_csv(files[1], index=False)
    mapping = Mapping(files="runs", sample_id=("id",))
    (problem,) = preview(files, mapping).problems
    assert (problem.kind, problem.count) == ("samples_differ", 5)
    runs = nid.import_runs(files, store, mapping=mapping, choices={"samples_differ": "intersection"})
    assert [len(run.samples) for run in runs] == [35, 35]
    assert nid.compare(runs, groups=("identity",)).table["mean"].max() < 1e-6


def test_a_column_can_say_which_run_a_row_is_of(table: pd.DataFrame, tmp_path: Path, store: RunStore) -> None:
    long = pd.concat([table.assign(seed=seed) for seed in (3, 11)], ignore_index=True)
    long.to_parquet(tmp_path / "long.parquet", index=False)
    mapping = Mapping(sample_id=("Metadata_Plate", "Metadata_Well"), run="seed")
    runs = nid.import_runs(tmp_path / "long.parquet", store, mapping=mapping)
    assert [(run.seed, len(run.samples)) for run in runs] == [(3, 40), (11, 40)]
    assert not runs[0].is_table


def test_two_files_of_one_name_need_a_pattern(files: list[Path], tmp_path: Path) -> None:
    with pytest.raises(nid.InvalidInput, match="2 files are called 'emb'"):
        preview(files, Mapping(files="runs", file_pattern="(emb)"))


def test_an_import_that_fails_on_the_way_leaves_nothing(
    files: list[Path], store: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nearid_core.runs import RunWriter

    publish = RunWriter.publish

    def fail_on_the_second(writer: RunWriter) -> nid.Run:
        if writer.run_id.endswith("seed1"):
            raise OSError(28, "No space left on device")
        return publish(writer)

    monkeypatch.setattr(RunWriter, "publish", fail_on_the_second)
    with pytest.raises(nid.NearIdError, match="No space left on device"):
        nid.import_runs(files, store, mapping=Mapping(files="runs", sample_id=("id",)))
    assert store.runs() == []
    assert store.unfinished() == []


def test_a_cancelled_import_leaves_nothing(files: list[Path], store: RunStore) -> None:
    def cancel(progress: nid.Progress) -> None:
        if progress.what == "Writing":
            raise nid.Cancelled("enough")

    with pytest.raises(nid.Cancelled):
        nid.import_runs(files, store, mapping=Mapping(files="runs", sample_id=("id",)), on_progress=cancel)
    assert store.runs() == []
    assert store.unfinished() == []


def test_an_import_that_does_not_fit_on_the_disk_is_refused_before_it_writes(
    files: list[Path], store: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(files[0].parent)._replace(free=100)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    with pytest.raises(nid.InvalidInput, match=r"needs 0\.0 GiB"):
        nid.import_runs(files, store, mapping=Mapping(files="runs", sample_id=("id",)))
    assert not store.path.exists()


def test_what_several_files_are_is_guessed_from_their_shape(files: list[Path]) -> None:
    assert preview(files).mapping.files == "runs"
    second = pd.read_csv(files[1])
    second[5:].to_csv(files[1], index=False)
    assert preview(files).mapping.files == "batches"
    second.drop(columns="Cells_3").to_csv(files[1], index=False)
    asked = preview(files)
    assert (asked.mapping.files, asked.ready) == (None, False)


def test_the_run_column_is_no_part_of_a_sample_id(store: RunStore, tmp_path: Path) -> None:
    """A guess that needs it to tell rows apart would leave two runs without a sample in common."""
    frame = pd.DataFrame({"cell": ["a", "b", "c"] * 2, "attempt": ["x"] * 3 + ["y"] * 3, "z0": np.arange(6.0)})
    frame.assign(z1=frame["z0"] ** 2).to_csv(tmp_path / "t.csv", index=False)
    mapping = Mapping(sample_id=("cell", "attempt"), run="attempt")
    runs = nid.import_runs(tmp_path / "t.csv", store, mapping=mapping)
    assert [list(run.samples["sample_id"]) for run in runs] == [["a", "b", "c"]] * 2

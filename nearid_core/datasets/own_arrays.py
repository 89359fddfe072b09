"""A table or an array of one's own as something to train on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from nearid_core.datasets.dataset import DATA_SEED, DATASETS, Dataset
from nearid_core.datasets.split import hash_order, split_column
from nearid_core.errors import InvalidInput
from nearid_core.options import Option
from nearid_core.registry import unknown

if TYPE_CHECKING:
    from nearid_core.exchange.layer import FileLayer
    from nearid_core.exchange.readers import Table

TEST_SHARE = 0.45  # as of the digits
FEWEST = 20  # rows
_SPLIT = ("train", "test")


@dataclass(frozen=True)
class Arrays:
    """The columns of numbers of a file; the others stay beside the samples."""

    name: str = "arrays"
    description: str = "a table or array of your own (npy, npz, csv, tsv, parquet, safetensors, h5ad), a row a sample"
    default_epochs: int = 200
    options: tuple[Option, ...] = (
        Option("n", None, int, "How many of the rows to use. Empty: all of them.", FEWEST, 100_000_000, optional=True),
        DATA_SEED,
        Option("path", None, str, "The file. Its columns of numbers are what a model sees.", optional=True),
        Option("label", None, str, "Column with the class of each sample; controls shuffle within it.", optional=True),
        Option("sample_id", None, str, "Column that names each sample. Empty: sample_id, else the row.", optional=True),
        Option("array", None, str, "Which array, where the file holds several.", optional=True),
        Option(
            "standardise",
            True,
            bool,
            "Give each feature mean 0 and variance 1 on the training rows; without it, large features decide the loss.",
        ),
    )

    def load(self, *, n: int | None, data_seed: int, **options: Any) -> Dataset:
        if options["path"] is None:
            raise InvalidInput("The dataset arrays needs a file: set path to a table or an array, a row a sample.")
        from nearid_core.exchange.readers import open_table

        table = open_table(Path(options["path"]).expanduser())
        layer = _layer(table, options)
        known = _samples(table, layer, options, data_seed)
        if n is not None and n > len(known):
            raise InvalidInput(f"n is {n} and {table.path.name} has {len(known):,} rows; ask for fewer.")
        rows = np.sort(hash_order(known["sample_id"].tolist(), data_seed, "subset")[:n])
        samples = known.iloc[rows].reset_index(drop=True)
        features = read_features(layer, rows)
        if options["standardise"]:
            standardise(features, (samples["split"] == "train").to_numpy())
        label = options["label"]
        return Dataset(
            name=self.name,
            features=features,
            samples=samples,
            factor_names=() if label is None else (label,),
            label=label,
            options={"n": n, "data_seed": data_seed, **options},
        )


def read_features(layer: FileLayer, rows: np.ndarray) -> np.ndarray:
    """(len(rows), D) float32, read in blocks; rows : ascending.

    Raises InvalidInput naming the row and the column of the first number that is missing or too large.
    """
    features = np.empty((len(rows), len(layer.names)), np.float32)
    start = filled = 0
    for block in layer.blocks():
        wanted = rows[(rows >= start) & (rows < start + len(block))]
        with np.errstate(over="ignore"):  # infinite, and refused below
            part = np.asarray(block[wanted - start], dtype=np.float32)
        bad = ~np.isfinite(part)
        if bad.any():
            row, column = np.argwhere(bad)[0]
            raise InvalidInput(
                f"{layer.table.path.name} holds a number that is missing, infinite or beyond 3e38, the first in row "
                f"{wanted[row] + 1}, column {layer.names[column]!r}; remove or fill it first."
            )
        features[filled : filled + len(part)] = part
        start, filled = start + len(block), filled + len(part)
    return features


def standardise(features: np.ndarray, trains: np.ndarray) -> None:
    """In place, by mean and standard deviation of the training rows; a constant column becomes zero."""
    for j in range(features.shape[1]):  # a column at a time: no second copy of the table
        column = features[:, j].astype(np.float64)
        centred = column - column[trains].mean()
        deviation = centred[trains].std()
        features[:, j] = centred / deviation if deviation > 0 else 0.0


def _layer(table: Table, options: dict[str, Any]) -> FileLayer:
    """The file's matrix, or its columns of numbers but for those with another role."""
    from nearid_core.exchange.feature_choice import choose_layers
    from nearid_core.exchange.mapping import Features, Mapping

    for role in ("label", "sample_id"):
        _check_column(table, options[role], role)
    arrays = () if options["array"] is None else (options["array"],)
    mapping = Mapping(features=Features(arrays=arrays))
    used = {options["label"], options["sample_id"], "sample_id", "split"} - {None}
    layers, problems = choose_layers(table, mapping, used)
    if problems:
        raise InvalidInput(f"{problems[0].message} Correct or remove it first.")
    if len(layers) > 1:
        raise InvalidInput(f"{table.path.name} holds several arrays, choose one: array can be {', '.join(layers)}.")
    return next(iter(layers.values()))


def _check_column(table: Table, column: str | None, role: str) -> None:
    names = [one.name for one in table.columns]
    if column is not None and column not in names:
        raise InvalidInput(unknown(f"column of {table.path.name} to be the {role}", column, names))


def _samples(table: Table, layer: FileLayer, options: dict[str, Any], data_seed: int) -> pd.DataFrame:
    """sample_id and split, then every column that is no feature."""
    others = [one.name for one in table.columns if layer.matrix is not None or one.name not in set(layer.names)]
    known = table.frame(others)
    rows = table.n_rows
    if rows < FEWEST:
        raise InvalidInput(f"{table.path.name} has {rows} rows; training needs {FEWEST} or more.")
    label = options["label"]
    if label is not None and known[label].isna().any():
        row = int(known[label].isna().to_numpy().argmax()) + 1
        raise InvalidInput(f"The label {label} has no value in row {row}; fill it, or leave label empty.")
    ids = _ids(table.path.name, known, options["sample_id"], rows)
    split = known["split"] if "split" in known else split_column(ids, data_seed, TEST_SHARE)
    if set(split) != set(_SPLIT):
        raise InvalidInput(f"The column split of {table.path.name} has other values than train and test; rename it.")
    kept = known.drop(columns=["sample_id", "split"], errors="ignore")
    return pd.concat([pd.DataFrame({"sample_id": ids, "split": np.asarray(split, dtype=object)}), kept], axis=1)


def _ids(name: str, known: pd.DataFrame, column: str | None, rows: int) -> list[str]:
    chosen = column or ("sample_id" if "sample_id" in known else None)
    if chosen is None:
        return [f"row-{row:07d}" for row in range(1, rows + 1)]
    ids = known[chosen]
    wrong = (ids.isna() | ids.duplicated()).to_numpy()
    if wrong.any():
        row = int(wrong.argmax())
        what = "no value" if pd.isna(ids.iloc[row]) else f"{ids.iloc[row]!r} once more"
        raise InvalidInput(f"The sample id {chosen} of {name} has {what} in row {row + 1}; ids have to be unique.")
    return ids.astype(str).tolist()


ARRAYS = DATASETS.register(Arrays())

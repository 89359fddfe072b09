"""What a user says about a table: which columns are what, what is joined to it, what is changed in it."""

from __future__ import annotations

from collections.abc import Mapping as Dict
from dataclasses import dataclass, field
from typing import Any, Literal

from nearid_core.errors import InvalidInput
from nearid_core.registry import unknown

ROLES = ("batch", "label", "group", "position", "dose", "replicate")
LEVELS = ("cell", "field", "well", "replicate", "consensus")
CONTROL_KINDS = ("negative", "positive", "empty")
FILES = ("runs", "layers", "batches")
SEVERAL = ("stop", "agree", "first")

Several = Literal["stop", "agree", "first"]
Files = Literal["runs", "layers", "batches"]


@dataclass(frozen=True)
class Features:
    """Which columns are the representation; a column has to pass every rule that is given.

    columns : exactly these, in this order; the other rules are then not looked at.
    prefix : names that begin with one of these.
    pattern : names in which this regular expression is found.
    dtype : columns of this numpy type only, or of any float with ``float``.
    exclude : never these.
    exclude_prefix : never names that begin so; ``Metadata_`` is what pycytominer calls everything else.
    arrays : in a file that holds matrices (npz, safetensors, h5ad, zarr, a list column), these only; each is a layer.

    Without a rule it is every column of numbers that has no role and does not look like metadata.
    """

    columns: tuple[str, ...] = ()
    prefix: tuple[str, ...] = ()
    pattern: str | None = None
    dtype: str | None = None
    exclude: tuple[str, ...] = ()
    exclude_prefix: tuple[str, ...] = ("Metadata_", "Image_Metadata_")
    arrays: tuple[str, ...] = ()


@dataclass(frozen=True)
class Join:
    """Another file with columns for the samples.

    file : its name beside the table, or a path.
    left, right : equally many key columns, of the table as joined so far and of the file. Without keys the rows are
        matched by their position, and their numbers have to be the same.
    columns : those to take (default: all but the keys).
    several : what to do where several rows of the file fit one sample: ``stop``, keep the columns in which they
        ``agree``, or take the ``first``. A join never makes rows.
    """

    file: str
    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    several: Several = "stop"

    def __post_init__(self) -> None:
        if len(self.left) != len(self.right):
            raise InvalidInput(
                f"The join with {self.file} has {len(self.left)} keys of the table and {len(self.right)} of the file; "
                f"give equally many."
            )
        _check(self.several, SEVERAL, "way to join several rows")


@dataclass(frozen=True)
class Derive:
    """A new column: the first group of a regular expression found in another.

    ``Derive("week", "Plate", r"(Week\\d+)_")`` makes Week4 of Week4_27861. A value without a match stays empty.
    """

    column: str
    source: str
    pattern: str


@dataclass(frozen=True)
class Recode:
    """Values renamed or merged: ``merge={"Japan": ("J20a", "J20b")}``; values not named stay.

    into : a new column for the result (default: the column itself changes).
    """

    column: str
    merge: Dict[str, tuple[str, ...]]
    into: str | None = None

    def __post_init__(self) -> None:
        old = [value for values in self.merge.values() for value in values]
        twice = sorted({value for value in old if old.count(value) > 1})
        if twice:
            raise InvalidInput(f"The value {twice[0]!r} of {self.column} is merged twice; name it once.")


@dataclass(frozen=True)
class Control:
    """Samples with a known role in the experiment: those with this value in this column."""

    column: str
    value: str
    kind: Literal["negative", "positive", "empty"] = "negative"

    def __post_init__(self) -> None:
        _check(self.kind, CONTROL_KINDS, "kind of control")

    @classmethod
    def parse(cls, text: str) -> Control:
        """``COLUMN=VALUE``, or ``KIND:COLUMN=VALUE`` for a kind other than negative."""
        kind, colon, rest = text.partition(":")
        column, equals, value = (rest if colon and kind in CONTROL_KINDS else text).partition("=")
        if not (equals and column and value):
            raise InvalidInput(f"The control {text!r} is not COLUMN=VALUE, such as Metadata_control_type=negcon.")
        return cls(column, value, kind if colon and kind in CONTROL_KINDS else "negative")  # type: ignore[arg-type]

    def __str__(self) -> str:
        """The form in which a batch report takes it."""
        return f"{self.column}={self.value}"


@dataclass(frozen=True)
class Mapping:
    """How files become runs. As TOML (`nearid_core.exchange.mapping_toml`) it repeats an import.

    name : what the table or the set of runs is called (default: from the first file's name).
    files : what several files are: ``runs`` (one a run), ``layers`` of one run, or ``batches`` of one table (stacked).
    file_pattern : a regular expression whose first group, in a file's name, is its run, layer or batch (default: the
        name without its endings). A run that is a whole number is its seed.
    sample_id : the columns that name a sample, joined with ``_``; without any, samples are numbered by row. The column
        of the run is left out of it.
    run : a column that says which run a row is of, where one table holds several.
    layer : the name of the layer that the columns are.
    batch, label, group, position, dose, replicate : the columns with these roles. Rows of one ``group`` are not
        independent and are never split.
    level : what a row is (cell, field, well, replicate, consensus).
    controls, features, joins, derive, recode : see their classes. Joins come first, in their order, then derived
        columns, then recoded ones.
    choices : for each kind of problem what to do; see `nearid_core.exchange.problem`.
    """

    name: str | None = None
    files: Files | None = None
    file_pattern: str | None = None
    sample_id: tuple[str, ...] = ()
    run: str | None = None
    layer: str = "embedding"
    batch: str | None = None
    label: str | None = None
    group: str | None = None
    position: str | None = None
    dose: str | None = None
    replicate: str | None = None
    level: str | None = None
    controls: tuple[Control, ...] = ()
    features: Features = Features()
    joins: tuple[Join, ...] = ()
    derive: tuple[Derive, ...] = ()
    recode: tuple[Recode, ...] = ()
    choices: Dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.files is not None:
            _check(self.files, FILES, "meaning of several files")
        if self.level is not None:
            _check(self.level, LEVELS, "level")

    @property
    def roles(self) -> dict[str, Any]:
        """The columns with a role, as a run's record names them; None where there is none."""
        return {role: getattr(self, role) for role in ROLES}

    @property
    def named_columns(self) -> list[str]:
        """Every column that has a role, once: none of them is a feature."""
        named = [*self.sample_id, self.run, *self.roles.values(), *(control.column for control in self.controls)]
        return list(dict.fromkeys(column for column in named if column))


def _check(value: str, known: tuple[str, ...], what: str) -> None:
    if value not in known:
        raise InvalidInput(unknown(what, value, known))

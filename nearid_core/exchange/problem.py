"""What is wrong with a table, said before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nearid_core.errors import InvalidInput
from nearid_core.registry import unknown

STOP, KEEP, DROP_ROWS, DROP_COLUMNS = "stop", "keep", "drop rows", "drop columns"
METADATA, INTERSECTION, AGREE, FIRST = "metadata", "intersection", "agree", "first"


@dataclass(frozen=True)
class ProblemKind:
    """choices : what can be done; the first is done unless the user says otherwise."""

    name: str
    choices: tuple[str, ...]


# Where keeping changes nothing the default is to keep and to say so; where data would be lost or a number would mean
# something else, it is to stop.
_KINDS = (
    ProblemKind("nan", (STOP, DROP_ROWS, DROP_COLUMNS, KEEP)),
    ProblemKind("infinite", (STOP, DROP_ROWS, DROP_COLUMNS, KEEP)),
    ProblemKind("constant", (KEEP, DROP_COLUMNS, STOP)),
    ProblemKind("near_constant", (KEEP, DROP_COLUMNS, STOP)),
    ProblemKind("integer_coded", (STOP, METADATA, KEEP)),
    ProblemKind("mixed_types", (STOP, METADATA)),
    ProblemKind("nested", (STOP, DROP_COLUMNS)),
    ProblemKind("duplicate_ids", (STOP, DROP_ROWS)),
    ProblemKind("missing_ids", (STOP, DROP_ROWS)),
    ProblemKind("join_several", (STOP, AGREE, FIRST)),
    ProblemKind("join_unmatched", (STOP, KEEP, DROP_ROWS)),
    ProblemKind("join_rows", (STOP,)),
    ProblemKind("derive_unmatched", (STOP, KEEP, DROP_ROWS)),
    ProblemKind("recode_unknown", (STOP, KEEP)),
    ProblemKind("control_absent", (STOP, KEEP)),
    ProblemKind("columns_differ", (STOP, INTERSECTION)),
    ProblemKind("samples_differ", (STOP, INTERSECTION, KEEP)),
)
PROBLEM_KINDS = {kind.name: kind for kind in _KINDS}


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong.

    kind : one of PROBLEM_KINDS; the key under which a choice is made.
    message : one sentence for the user: the file, what was found and how often. Text from the file is in it as it was
        read, so whoever shows it escapes it.
    count : how many cells, rows or columns, whichever the message counts.
    file : name of the file; columns : those concerned, as far as it is about columns.
    action : what will be done as things stand, one of `choices`.
    """

    kind: str
    message: str
    count: int
    file: str
    columns: tuple[str, ...] = ()
    action: str = STOP

    @property
    def choices(self) -> tuple[str, ...]:
        return PROBLEM_KINDS[self.kind].choices

    @property
    def stops(self) -> bool:
        """Whether nothing is imported until the user chooses."""
        return self.action == STOP


def check_choices(choices: Mapping[str, str]) -> dict[str, str]:
    """The choices, with every kind and action known. Raises InvalidInput with those that there are."""
    for kind, action in choices.items():
        if kind not in PROBLEM_KINDS:
            raise InvalidInput(unknown("kind of problem", kind, PROBLEM_KINDS))
        if action not in PROBLEM_KINDS[kind].choices:
            raise InvalidInput(unknown(f"choice for {kind}", action, PROBLEM_KINDS[kind].choices))
    return dict(choices)


def action_for(kind: str, choices: Mapping[str, str]) -> str:
    return choices.get(kind, PROBLEM_KINDS[kind].choices[0])

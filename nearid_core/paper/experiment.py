"""What an experiment of the paper is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import pandas as pd

from nearid_core.options import Option
from nearid_core.progress import ProgressCallback
from nearid_core.registry import Registry
from nearid_core.runs import RunStore

PAPER = "Nelson, Fumero, Karaletsos and Locatello, ICLR 2026 (arXiv 2603.11970)"


@dataclass(frozen=True, eq=False)
class Reproduction:
    """What was published beside what came out here.

    table : one row a quantity and method: ``quantity``, ``method``, ``published``, ``ours``, and ``low`` and ``high``
        as `interval` says, nan where there are none; an experiment may add columns.
    claims : one sentence a claim, whether it came out here. differs : what is not as in the paper.
    summary : the table in fewer rows, for a reader, where it is long.
    """

    table: pd.DataFrame
    claims: tuple[str, ...]
    differs: tuple[str, ...]
    interval: str = "95 percent"
    summary: pd.DataFrame | None = None


class Experiment(Protocol):
    """options : what `run` takes by name."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...

    @property
    def options(self) -> tuple[Option, ...]: ...

    def run(self, on_progress: ProgressCallback, *, store: RunStore | None = None, **given: Any) -> Reproduction:
        """store : where runs are kept, for experiments that train some (default: the user's store).

        Raises InvalidInput for a setting that the experiment does not have.
        """
        ...


EXPERIMENTS: Registry[Experiment] = Registry("experiment")

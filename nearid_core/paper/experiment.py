"""What an experiment of the paper is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import pandas as pd

from nearid_core.progress import ProgressCallback
from nearid_core.registry import Registry

PAPER = "Nelson, Fumero, Karaletsos and Locatello, ICLR 2026 (arXiv 2603.11970)"


@dataclass(frozen=True, eq=False)
class Reproduction:
    """table : one row a quantity: ``quantity``, ``published``, ``ours``, ``low``, ``high`` (95 percent, where there is
    an interval). claims : one sentence a claim, whether it came out here. differs : what is not as in the paper.
    """

    table: pd.DataFrame
    claims: tuple[str, ...]
    differs: tuple[str, ...]


class Experiment(Protocol):
    """title : the claim in a few words."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...

    def run(self, on_progress: ProgressCallback) -> Reproduction: ...


EXPERIMENTS: Registry[Experiment] = Registry("experiment")

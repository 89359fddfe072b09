"""Finding a comparison that was computed before, without loading what computes one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from nearid_core.align.comparison import GROUPS, Comparison
from nearid_core.components.of_run import content
from nearid_core.errors import InvalidInput
from nearid_core.registry import unknown
from nearid_core.results import ResultCache
from nearid_core.runs import Run, RunSet, common_layer

ALGORITHM = 2  # raise when a comparison of the same data would differ


@dataclass(frozen=True)
class Settings:
    """What decides a comparison besides the runs; see `compare`."""

    groups: tuple[str, ...] = GROUPS
    samples: str = "test"
    label: str | None = None
    split_seed: int = 0

    def __post_init__(self) -> None:
        for group in self.groups:
            if group not in GROUPS:
                raise InvalidInput(unknown("group", group, GROUPS))
        if not self.groups:
            raise InvalidInput(f"No group was named; expected some of {', '.join(GROUPS)}.")
        if self.samples not in ("test", "all"):
            raise InvalidInput(unknown("choice of samples", self.samples, ("test", "all")))


def cached(
    runs: Sequence[Run] | RunSet,
    layer: str | None = None,
    groups: Sequence[str] = GROUPS,
    *,
    samples: str = "test",
    label: str | None = None,
    split_seed: int = 0,
    cache: ResultCache | None = None,
) -> Comparison | None:
    """The comparison when it has been computed before, else None. Arguments as for `compare`."""
    stored = runs.done if isinstance(runs, RunSet) else list(runs)
    if len(stored) < 2 or any(run.status != "done" for run in stored):
        return None
    layer = layer or common_layer(stored)
    if any(layer not in run.layers for run in stored):
        return None
    settings = Settings(tuple(groups), samples, label, split_seed)
    entry = (cache or ResultCache()).load("comparison", comparison_key(stored, layer, settings))
    return None if entry is None else Comparison.from_entry(entry)


def comparison_key(runs: Sequence[Run], layer: str, settings: Settings) -> dict[str, Any]:
    return {
        "algorithm": ALGORITHM,
        "runs": [[run.id, content(run, layer)] for run in runs],
        "layer": layer,
        **{**asdict(settings), "groups": list(settings.groups)},
    }

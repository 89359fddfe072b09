"""Where the training of one seed stands, as a file it can be continued from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nearid_core.runs.atomic import write_bytes


@dataclass(frozen=True)
class Checkpoint:
    """Everything that the rest of a seed's training depends on; the order of samples follows from seed and epoch.

    step : steps taken.
    weights, moments : parameters and Adam's moments of them, by name.
    epoch_losses : losses of the steps taken in the epoch that is not over, (steps,).
    history : one row an epoch that is.
    seconds, cpu_seconds : spent so far.
    """

    step: int
    weights: Mapping[str, np.ndarray]
    moments: Mapping[str, np.ndarray]
    epoch_losses: np.ndarray
    history: pd.DataFrame
    seconds: float
    cpu_seconds: float

    def save(self, path: Path, made_by: Mapping[str, Any]) -> None:
        """Replace the file in one step. made_by : what has to be the same for the file to be continued."""
        from safetensors.numpy import save

        arrays = {
            **{f"weights:{name}": value for name, value in self.weights.items()},
            **{f"moments:{name}": value for name, value in self.moments.items()},
            **{f"history:{name}": self.history[name].to_numpy() for name in self.history},
            "epoch_losses": self.epoch_losses,
        }
        stands = {"step": self.step, "seconds": self.seconds, "cpu_seconds": self.cpu_seconds, "made_by": dict(made_by)}
        contiguous = {name: np.ascontiguousarray(value) for name, value in arrays.items()}
        write_bytes(path, save(contiguous, {"stands": json.dumps(stands)}))

    @classmethod
    def load(cls, path: Path, made_by: Mapping[str, Any]) -> Checkpoint | None:
        """What the file holds; None when there is none, when it is damaged, or when something else made it.

        Weights begun under one plan and finished under another would be those of neither, so such a seed starts over.
        """
        from safetensors import SafetensorError, safe_open

        try:
            with safe_open(path, framework="numpy") as file:
                stands = json.loads(file.metadata()["stands"])
                arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
            if stands.pop("made_by") != dict(made_by):
                return None
            return cls(
                weights=_part(arrays, "weights:"),
                moments=_part(arrays, "moments:"),
                epoch_losses=arrays["epoch_losses"],
                history=pd.DataFrame(_part(arrays, "history:")),
                **stands,
            )
        except (OSError, SafetensorError, ValueError, KeyError, TypeError):
            return None


def _part(arrays: Mapping[str, np.ndarray], prefix: str) -> dict[str, np.ndarray]:
    return {name.removeprefix(prefix): value for name, value in arrays.items() if name.startswith(prefix)}

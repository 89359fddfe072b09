"""A result's table as a plotly figure. Nothing here computes; plotly is loaded when the first figure is made."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nearid_core.figures.batches import auroc_by_space, component_plane, removal_curves
    from nearid_core.figures.components import returning_components
    from nearid_core.figures.epsilon import epsilon_profile
    from nearid_core.figures.groups import error_by_group
    from nearid_core.figures.images import image_rows
    from nearid_core.figures.maps import before_after, crosstab
    from nearid_core.figures.pairs import pair_heatmap
    from nearid_core.figures.plates import plate_map
    from nearid_core.figures.training import live_loss, training_curves

_HOMES = {
    "auroc_by_space": "batches",
    "before_after": "maps",
    "component_plane": "batches",
    "crosstab": "maps",
    "epsilon_profile": "epsilon",
    "error_by_group": "groups",
    "image_rows": "images",
    "live_loss": "training",
    "pair_heatmap": "pairs",
    "plate_map": "plates",
    "removal_curves": "batches",
    "returning_components": "components",
    "training_curves": "training",
}

__all__ = [
    "auroc_by_space",
    "before_after",
    "component_plane",
    "crosstab",
    "epsilon_profile",
    "error_by_group",
    "image_rows",
    "live_loss",
    "pair_heatmap",
    "plate_map",
    "removal_curves",
    "returning_components",
    "training_curves",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"nearid_core.figures.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'nearid_core.figures' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

"""A result's table as a plotly figure. Nothing here computes; plotly is loaded when the first figure is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nearid_core.lazy import loader

if TYPE_CHECKING:
    from nearid_core.figures.batches import auroc_by_space, component_plane, removal_curves
    from nearid_core.figures.components import returning_components
    from nearid_core.figures.epsilon import epsilon_profile
    from nearid_core.figures.factors import association_heatmaps, component_scatter, factor_scores
    from nearid_core.figures.groups import error_by_group
    from nearid_core.figures.images import image_rows
    from nearid_core.figures.maps import before_after, crosstab
    from nearid_core.figures.pairs import pair_heatmap
    from nearid_core.figures.plates import plate_map
    from nearid_core.figures.training import live_loss, training_curves

_HOMES = {
    "batches": (
        "auroc_by_space",
        "component_plane",
        "removal_curves",
    ),
    "components": ("returning_components",),
    "epsilon": ("epsilon_profile",),
    "factors": ("association_heatmaps", "component_scatter", "factor_scores"),
    "groups": ("error_by_group",),
    "images": ("image_rows",),
    "maps": (
        "before_after",
        "crosstab",
    ),
    "pairs": ("pair_heatmap",),
    "plates": ("plate_map",),
    "training": (
        "live_loss",
        "training_curves",
    ),
}

__all__ = [
    "association_heatmaps",
    "auroc_by_space",
    "before_after",
    "component_plane",
    "component_scatter",
    "crosstab",
    "epsilon_profile",
    "error_by_group",
    "factor_scores",
    "image_rows",
    "live_loss",
    "pair_heatmap",
    "plate_map",
    "removal_curves",
    "returning_components",
    "training_curves",
]


__getattr__ = loader(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

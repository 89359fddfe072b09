"""What every analysis shares: the split, the whitening, the independent components."""

from nearid_core.components.block_angles import BlockedRows, block_angles
from nearid_core.components.components import Components, fit_components
from nearid_core.components.correlation import correlations
from nearid_core.components.dependence import dependence_table
from nearid_core.components.diagnostics import AXIS_MIN, Z_MIN, identified
from nearid_core.components.ica import SAME, random_rotation
from nearid_core.components.split import heldout_mask
from nearid_core.components.stability import STABILITY_MIN
from nearid_core.components.whitening import Whitening, whiten

__all__ = [
    "AXIS_MIN",
    "SAME",
    "STABILITY_MIN",
    "Z_MIN",
    "BlockedRows",
    "Components",
    "Whitening",
    "block_angles",
    "correlations",
    "dependence_table",
    "fit_components",
    "heldout_mask",
    "identified",
    "random_rotation",
    "whiten",
]

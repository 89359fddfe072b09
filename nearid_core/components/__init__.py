"""What every analysis shares: the split, the whitening, the independent components."""

from nearid_core.components.components import Components, fit_components
from nearid_core.components.diagnostics import STABILITY_MIN, Z_MIN, correlations, identified
from nearid_core.components.ica import SAME, random_rotation
from nearid_core.components.split import heldout_mask
from nearid_core.components.whitening import Whitening, whiten

__all__ = [
    "SAME",
    "STABILITY_MIN",
    "Z_MIN",
    "Components",
    "Whitening",
    "correlations",
    "fit_components",
    "heldout_mask",
    "identified",
    "random_rotation",
    "whiten",
]

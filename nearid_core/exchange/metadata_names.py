"""How columns that are not features are called, in the order in which a name speaks for a role."""

from __future__ import annotations

import re

_PREFIXES = ("metadata_", "image_metadata_", "unnamed:", "__index_level_")

NAMES: dict[str, tuple[str, ...]] = {
    "sample_id": ("sample_id", "cell_id", "barcode", "obs_names", "sample", "cell", "id", "well_id", "index"),
    "run": ("run", "run_id", "seed", "model_seed"),
    "batch": ("batch", "batch_id", "donor", "week", "experiment", "lab", "site", "plate", "plate_id"),
    "label": ("moa", "mechanism", "cell_type", "celltype", "class", "label", "perturbation", "pert_iname", "compound",
              "treatment", "gene", "target"),
    "group": ("physical_plate", "group"),
    "position": ("well", "well_position", "position"),
    "dose": ("concentration", "dose", "dose_um"),
    "replicate": ("replicate", "rep"),
}  # fmt: skip

CONTROL_VALUES = ("dmso", "negcon", "control", "untreated", "vehicle", "non-targeting", "nontargeting", "nt", "mock")
CONTROL_COLUMNS = ("control_type", "pert_type", "control")

_COUNTERS = ("count_cells", "tablenumber", "imagenumber", "number_of_cells", "n_counts", "n_genes", "total_counts")
_KNOWN = {name for names in NAMES.values() for name in names} | {*CONTROL_COLUMNS, *_COUNTERS, ""}


def plain(name: str) -> str:
    """The name without its prefix, lower case: Image_Metadata_Well is well."""
    lower = name.lower().strip()
    return re.sub(r"^(image_)?metadata_", "", lower)


def looks_like_metadata(name: str) -> bool:
    return name.lower().startswith(_PREFIXES) or plain(name) in _KNOWN

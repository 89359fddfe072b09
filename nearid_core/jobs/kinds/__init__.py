"""What a job can do, one file a kind. Listing them imports nothing heavy."""

from nearid_core.jobs.kinds.batches import BATCHES
from nearid_core.jobs.kinds.compare import COMPARE
from nearid_core.jobs.kinds.components import COMPONENTS
from nearid_core.jobs.kinds.factors import FACTORS
from nearid_core.jobs.kinds.import_files import IMPORT
from nearid_core.jobs.kinds.kind import JOB_KINDS, JobKind
from nearid_core.jobs.kinds.train import TRAIN
from nearid_core.jobs.kinds.umap_planes import UMAP

__all__ = ["BATCHES", "COMPARE", "COMPONENTS", "FACTORS", "IMPORT", "JOB_KINDS", "TRAIN", "UMAP", "JobKind"]

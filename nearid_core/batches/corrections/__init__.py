"""Known ways to take batches out, one file each, to hold the dropping of components against."""

from nearid_core.batches.corrections.centring import CENTRING
from nearid_core.batches.corrections.combat import COMBAT
from nearid_core.batches.corrections.correcting import CORRECTIONS, Correcting
from nearid_core.batches.corrections.harmony import HARMONY
from nearid_core.batches.corrections.tvn import TVN

__all__ = ["CENTRING", "COMBAT", "CORRECTIONS", "HARMONY", "TVN", "Correcting"]

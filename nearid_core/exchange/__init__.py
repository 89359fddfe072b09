"""Other people's tables of embeddings in; what was found here out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nearid_core.lazy import loader

if TYPE_CHECKING:
    from nearid_core.exchange.embedding import Embedding
    from nearid_core.exchange.export import export_embedding, export_loadings, export_representation, loadings
    from nearid_core.exchange.guess_mapping import guess
    from nearid_core.exchange.import_preview import Preview, preview
    from nearid_core.exchange.importing import import_runs
    from nearid_core.exchange.joining import JoinReport
    from nearid_core.exchange.mapping import Control, Derive, Features, Join, Mapping, Recode
    from nearid_core.exchange.mapping_toml import read_mapping, write_mapping
    from nearid_core.exchange.problem import PROBLEM_KINDS, Problem
    from nearid_core.exchange.tables import export_table

__all__ = [
    "PROBLEM_KINDS",
    "Control",
    "Derive",
    "Embedding",
    "Features",
    "Join",
    "JoinReport",
    "Mapping",
    "Preview",
    "Problem",
    "Recode",
    "export_embedding",
    "export_loadings",
    "export_representation",
    "export_table",
    "guess",
    "import_runs",
    "loadings",
    "preview",
    "read_mapping",
    "write_mapping",
]

_HOMES = {
    "embedding": ("Embedding",),
    "export": ("export_embedding", "export_loadings", "export_representation", "loadings"),
    "guess_mapping": ("guess",),
    "importing": ("import_runs",),
    "mapping": ("Control", "Derive", "Features", "Join", "Mapping", "Recode"),
    "mapping_toml": ("read_mapping", "write_mapping"),
    "joining": ("JoinReport",),
    "import_preview": ("Preview", "preview"),
    "problem": ("PROBLEM_KINDS", "Problem"),
    "tables": ("export_table",),
}


__getattr__ = loader(__name__, _HOMES)

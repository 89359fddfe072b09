"""Runs as one zip file: written with their digests checked, and read as what it is, a file from a stranger.

An archive holds a folder a run, named by its id, with the files that a store keeps, and ``set.json`` where the runs are
a saved choice. Nothing else in a zip is taken.
"""

from nearid_core.runs.archive.add import add_archive
from nearid_core.runs.archive.export import export_run, export_set
from nearid_core.runs.archive.pack import pack

__all__ = ["add_archive", "export_run", "export_set", "pack"]

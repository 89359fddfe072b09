"""Bring your own: files in, a look at what they would become, corrections, and then the import."""

from pages.shared.importing.dialog import import_dialog

__all__ = ["import_dialog"]

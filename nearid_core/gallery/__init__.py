"""Planted truths that show the method working and failing."""

from nearid_core.gallery.planted import GALLERY, Planted
from nearid_core.gallery.stored import plant, planted_of
from nearid_core.gallery.truths import SOURCES

__all__ = ["GALLERY", "SOURCES", "Planted", "plant", "planted_of"]

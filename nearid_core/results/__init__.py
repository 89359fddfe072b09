"""The disk cache of derived results."""

from nearid_core.results.cache import Entry, ResultCache

__all__ = ["Entry", "ResultCache"]

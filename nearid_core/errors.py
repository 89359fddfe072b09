"""What can go wrong, as one family, so that a page or a terminal can show the sentence and nothing else.

A message names the thing (file, run, layer, column), what was found, what was expected and what to do.
"""


class NearIdError(Exception):
    """Anything nearid refuses to do; its text is one sentence for the user."""


class InvalidInput(NearIdError, ValueError):
    """A value, a name or an array that cannot be used as given."""


class SampleMismatch(NearIdError, ValueError):
    """Two representations that do not hold the same samples."""


class UnsupportedFormat(NearIdError):
    """A file of a kind, or of a schema version, that this version does not read."""


class CorruptRun(NearIdError):
    """A run folder that is not what its record says."""


class NotIdentifiable(NearIdError):
    """A question that the data at hand cannot answer."""


class Cancelled(NearIdError):
    """Work stopped because somebody asked for it; what is on disk can be resumed."""

"""The same verbs for a terminal or a cluster: ``nearid VERB``, or ``python -m nearid_core VERB``.

One file a verb. What a verb works with is imported when it runs, so that ``nearid --help`` is there at once.
"""

from nearid_core.cli.program import main

__all__ = ["main"]

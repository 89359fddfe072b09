"""``python -m nearid_core VERB``, the same as ``nearid VERB``."""

import sys

from nearid_core.cli import main

if __name__ == "__main__":
    sys.exit(main())

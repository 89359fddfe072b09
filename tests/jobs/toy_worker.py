"""The worker of the toy kinds: ``python -m tests.jobs.toy_worker FOLDER``."""

import sys

import tests.jobs.toy_kinds  # noqa: F401 - registers them
from nearid_core.jobs.worker import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

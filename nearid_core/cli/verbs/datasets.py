"""``nearid datasets``."""

from __future__ import annotations

import argparse

from nearid_core.cli.listing import add_name, print_entries
from nearid_core.cli.verb import VERBS, Verb


def run(arguments: argparse.Namespace) -> int:
    from nearid_core.datasets import DATASETS

    return print_entries(DATASETS, arguments)


VERBS.register(Verb("datasets", "List the datasets, and the settings of one.", "nearid datasets digits", add_name, run))

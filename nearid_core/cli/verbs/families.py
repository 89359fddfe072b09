"""``nearid families``."""

from __future__ import annotations

import argparse

from nearid_core.cli.listing import add_name, print_entries
from nearid_core.cli.verb import VERBS, Verb


def run(arguments: argparse.Namespace) -> int:
    from nearid_core.models import FAMILIES

    return print_entries(FAMILIES, arguments)


VERBS.register(
    Verb("families", "List the model families, and the settings of one.", "nearid families autoencoder", add_name, run)
)

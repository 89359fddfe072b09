"""From a command line to an exit code: 0 done, 1 failed, 2 wrong use, 130 interrupted."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from nearid_core.cli.verb import VERBS, Parser
from nearid_core.cli.verbs import (  # noqa: F401 - each registers its verb
    app,
    batches,
    compare,
    datasets,
    factors,
    families,
    gallery,
    import_files,
    paper,
    runs,
    train,
)
from nearid_core.errors import Cancelled, InvalidInput, NearIdError
from nearid_core.registry import unknown

DONE, FAILED, WRONG_USE, INTERRUPTED = 0, 1, 2, 130
TRACEBACK = "NEARID_TRACEBACK"  # set to see where an unexpected error came from


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb. Whatever goes wrong is one sentence on stderr, never a traceback."""
    try:
        parsed = _parse(list(sys.argv[1:] if arguments is None else arguments))
        return parsed.run(parsed)
    except InvalidInput as error:
        return _say(str(error), WRONG_USE)
    except (KeyboardInterrupt, Cancelled):
        return _say("Interrupted; the same command takes unfinished runs up where they stopped.", INTERRUPTED)
    except NearIdError as error:
        return _say(str(error), FAILED)
    except BrokenPipeError:  # the reader of a pipe has seen enough; leave nothing for the exit to flush into it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        return _say(f"Unexpected {type(error).__name__}: {error} (set {TRACEBACK}=1 to see where).", FAILED)


def build_parser() -> Parser:
    parser = Parser(
        prog="nearid",
        description="Can representations be trusted? Near-identifiability of learned representations, measured.",
        epilog="Every verb has --help with an example. Exit codes: 0 done, 1 failed, 2 wrong use.",
        allow_abbrev=False,
    )
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    for verb in VERBS:
        one = verbs.add_parser(
            verb.name,
            help=verb.description,
            description=verb.description,
            epilog=f"example:\n  {verb.example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        verb.arguments(one)
        one.add_argument("--json", action="store_true", help="machine output: one JSON value on stdout, nothing else")
        one.set_defaults(run=verb.run)
    return parser


def _parse(arguments: list[str]) -> argparse.Namespace:
    if not arguments:
        arguments = ["--help"]
    if not arguments[0].startswith("-") and arguments[0] not in VERBS.names():
        raise InvalidInput(unknown("verb", arguments[0], VERBS.names()))
    parsed, extra = build_parser().parse_known_args(arguments)
    if extra:
        raise InvalidInput(f"nearid {arguments[0]} does not take {' '.join(extra)}; see nearid {arguments[0]} --help.")
    return parsed


def _say(sentence: str, code: int) -> int:
    print(" ".join(sentence.split()), file=sys.stderr)
    return code

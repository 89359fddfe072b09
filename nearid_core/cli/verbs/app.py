"""``nearid app``."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from nearid_core.cli.verb import VERBS, Parser, Verb, add_store
from nearid_core.errors import InvalidInput, NearIdError


def arguments(parser: Parser) -> None:
    parser.add_argument("--port", type=int, help="port on this machine (default: 8501, or the next free one)")
    parser.add_argument("--no-browser", action="store_true", help="serve only, open no browser")
    add_store(parser)


def run(arguments: argparse.Namespace) -> int:
    app = Path(__file__).parents[3] / "app.py"
    if arguments.port is not None and not 0 < arguments.port < 65536:
        raise InvalidInput(f"The port is {arguments.port}; expected 1 to 65535.")
    if not app.is_file():
        raise NearIdError(f"The app is not here: {app} is missing; run this from a copy of the repository.")
    port = arguments.port or free_port()
    if arguments.json:
        print(json.dumps({"url": f"http://127.0.0.1:{port}"}), flush=True)
    server = subprocess.Popen(
        command(app, port, arguments.no_browser),
        cwd=app.parent,  # where Streamlit looks for .streamlit/config.toml
        env=_environment(arguments.store),
        stdout=sys.stderr if arguments.json else None,
    )
    signal.signal(signal.SIGTERM, lambda *_: server.terminate())  # whoever stops this stops the server with it
    try:
        return 1 if server.wait() else 0
    except KeyboardInterrupt:  # the usual way to close the app; the server got it too and is closing
        server.wait()
        return 0


def command(app: Path, port: int, no_browser: bool) -> list[str]:
    """Streamlit with safe defaults: this machine only, no usage statistics."""
    flags = {
        "server.address": "127.0.0.1",
        "server.port": str(port),
        "server.headless": str(no_browser).lower(),
        "browser.gatherUsageStats": "false",
    }
    return [sys.executable, "-m", "streamlit", "run", str(app), *(f"--{name}={value}" for name, value in flags.items())]


def free_port() -> int:
    """The first port from 8501 on that nobody listens to; any free one when those are all taken."""
    for port in (*range(8501, 8521), 0):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return probe.getsockname()[1]
    raise NearIdError("No port is free on this machine.")


def _environment(store: str | None) -> dict[str, str]:
    if store is None:
        return dict(os.environ)
    from nearid_core.runs import RunStore

    return {**os.environ, "NEARID_STORE": str(RunStore(store).path)}


VERBS.register(Verb("app", "Open the app in the browser.", "nearid app --port 8600 --store my_runs", arguments, run))

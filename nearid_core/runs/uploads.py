"""Files that came in through a browser, for as long as an import needs them; nothing else is written but runs."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from nearid_core.digest import text_digest
from nearid_core.errors import InvalidInput
from nearid_core.runs.atomic import remove_older, write_bytes
from nearid_core.runs.store import RunStore

FOLDER = ".uploads"
_KEPT = 24 * 3600  # seconds after which files of an import that was never finished go
_LONGEST = 150  # characters of a name


def keep(store: RunStore, files: Iterable[tuple[str, str, bytes | memoryview]]) -> list[Path]:
    """Write uploads into a hidden folder of the store; returns their paths, in order.

    files : (id, name as the browser told it, content). The same ids are written once, however often this is asked.

    Raises InvalidInput for two files of one name, or a store that cannot be written.
    """
    given = list(files)
    names = [safe_name(name) for _, name, _ in given]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise InvalidInput(f"Two of the files are called {twice}; rename one.")
    folder = store.path / FOLDER / text_digest(sorted(identity for identity, _, _ in given))[:16]
    paths = [folder / name for name in names]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, (_, _, content) in zip(paths, given, strict=True):
            if not path.exists():
                write_bytes(path, content)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise InvalidInput(f"{store.path} cannot be written ({error.strerror}); make room, or give a path.") from None
    return paths


def discard(store: RunStore, paths: Iterable[Path]) -> None:
    """Remove the folders of these files, where they are uploads of this store; others are left alone."""
    root = store.path / FOLDER
    for folder in {path.parent for path in paths}:
        if folder.parent == root:
            shutil.rmtree(folder, ignore_errors=True)
    _remove_if_empty(root)


def sweep(store: RunStore) -> None:
    """Remove what imports that were never finished have left, after a day."""
    root = store.path / FOLDER
    remove_older(root, _KEPT)
    _remove_if_empty(root)


def safe_name(name: str) -> str:
    """The last part of a name, without signs that mean something to a file system; its endings stay."""
    last = re.split(r"[/\\]", name)[-1]
    plain = re.sub(r"[^\w. ()+=,@-]", "_", last).lstrip(". ")
    return plain[-_LONGEST:] or "upload"


def _remove_if_empty(folder: Path) -> None:
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()

"""Files that are whole or absent, also when the machine stops in between."""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from nearid_core.errors import InvalidInput


def remove_older(folder: Path, seconds: float) -> None:
    """Remove the folders in this one that were last changed longer ago; what cannot be removed is left."""
    for inner in folder.glob("*"):
        if time.time() - inner.stat().st_mtime > seconds:
            shutil.rmtree(inner, ignore_errors=True)


def write_text(path: Path, text: str) -> None:
    """Replace a file in one step; a reader sees the old text or the new one."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes | memoryview) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


@contextlib.contextmanager
def whole_file(path: Path, *, overwrite: bool) -> Iterator[Path]:
    """A path beside `path` to write to; what was written becomes `path` when the block ends without an error.

    Raises InvalidInput when `path` exists and may not be replaced, or cannot be written.
    """
    check_target(path, overwrite=overwrite)
    beside = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        beside.touch()
        yield beside
        sync(beside)
        _put(beside, path, overwrite)
        sync(path.absolute().parent)
    except FileExistsError:
        check_target(path, overwrite=False)
        raise
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written ({error.strerror or error}).") from error
    finally:
        beside.unlink(missing_ok=True)


def check_target(path: Path, *, overwrite: bool) -> None:
    """Raise InvalidInput when a file cannot be made under this name, before work is spent on it."""
    if path.is_dir():
        raise InvalidInput(f"{path} is a folder; choose the name of a file.")
    if path.exists() and not overwrite:
        raise InvalidInput(f"{path} exists already; choose another name, or say that it may be overwritten.")
    if not path.absolute().parent.is_dir():
        raise InvalidInput(f"{path} cannot be written: there is no folder {path.absolute().parent}.")


def _put(beside: Path, path: Path, overwrite: bool) -> None:
    """Give `beside` its name. A link, unlike a rename, fails where somebody made `path` in the meantime."""
    if not overwrite:
        try:
            os.link(beside, path)
            return
        except FileExistsError:
            raise
        except OSError:  # a file system without hard links
            if path.exists():
                raise FileExistsError(path) from None
    beside.replace(path)


def sync(path: Path) -> None:
    """Force a file, or a folder's list of names, to the disk (folders not on Windows, which has no such thing)."""
    if path.is_dir() and os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

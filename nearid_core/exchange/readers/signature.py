"""What a file is by its first bytes, whatever its name says."""

from __future__ import annotations

import zipfile
from pathlib import Path

_BY_START = (
    (b"PAR1", "parquet"),
    (b"\x93NUMPY", "npy"),
    (b"\x89HDF\r\n\x1a\n", "h5ad"),
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"ARROW1", "feather"),
    (b"%PDF", "PDF"),
    (b"\x89PNG", "PNG image"),
    (b"\xd0\xcf\x11\xe0", "Excel workbook"),
    (b"version https://git-lfs", "git-lfs pointer"),
    (b"<!DOCTYPE", "web page"),
    (b"<!doctype", "web page"),
    (b"<html", "web page"),
)


def signature(path: Path) -> str:
    """A word for what the file is: a format's name, ``text``, or ``binary``; ``empty`` for no bytes."""
    with path.open("rb") as file:
        start = file.read(4096)
    if not start:
        return "empty"
    for magic, name in _BY_START:
        if start.startswith(magic):
            return name
    if start.startswith(b"PK"):
        return _zip_signature(path)
    if start[0] == 0x80 and start[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"):
        return "pickle"
    if start[8:9] == b"{" and int.from_bytes(start[:8], "little") < path.stat().st_size:
        return "safetensors"
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "text"
    return "binary" if b"\x00" in start else "text"


def _zip_signature(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return "npz"  # cut off; the reader of npz says so
    if any(name.endswith(("data.pkl", "constants.pkl")) for name in names):
        return "torch"
    if "xl/workbook.xml" in names:
        return "Excel workbook"
    return "npz" if names and all(name.endswith(".npy") for name in names) else "zip"

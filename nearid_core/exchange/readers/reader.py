"""The formats that are read, and opening a file with the one that its name asks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nearid_core.errors import InvalidInput, UnsupportedFormat
from nearid_core.exchange.readers.limits import MOST_COLUMNS, check_names
from nearid_core.exchange.readers.signature import signature
from nearid_core.exchange.readers.table import Table
from nearid_core.registry import Registry


@dataclass(frozen=True)
class Reader:
    """One format.

    suffixes : endings of file names, lower case; contents : what `signature` says of such a file.
    open : reads what describes the file. Raises UnsupportedFormat with one sentence where it cannot be read.
    folder : whether such a "file" is a folder.
    """

    name: str
    description: str
    suffixes: tuple[str, ...]
    contents: tuple[str, ...]
    open: Callable[[Path], Table]
    folder: bool = False


READERS: Registry[Reader] = Registry("format")

_CURES = {
    "torch": "it can hold code that runs when it is opened, so it is never opened here; load it where it was made with "
    "torch.load('{name}', weights_only=True) and save the embedding with numpy.save('embedding.npy', tensor.numpy())",
    "pickle": "it can hold code that runs when it is opened, so it is never opened here; save the array with "
    "numpy.save or the table with DataFrame.to_parquet",
    "Excel workbook": "save the sheet as CSV",
    "git-lfs pointer": "it only points to the file; fetch that with git lfs pull",
    "web page": "probably an error page instead of the file; download it again",
}
_PICKLES = {".pt", ".pth", ".ckpt", ".pkl", ".pickle", ".joblib"}


def suffixes() -> list[str]:
    """Every ending that is read."""
    return [suffix for reader in READERS for suffix in reader.suffixes]


def stem(path: Path) -> str:
    """The file's name without the endings that tell its format."""
    name = path.name.lower()
    longest = max((suffix for suffix in suffixes() if name.endswith(suffix)), key=len, default=path.suffix)
    return path.name[: len(path.name) - len(longest)] or path.name


def open_table(path: Path) -> Table:
    """Open a file, or a zarr folder.

    Raises InvalidInput for a path that is not there, UnsupportedFormat for what is not read, with what it is instead.
    """
    reader = _reader_for(path)
    if not reader.folder:
        _check_content(path, reader)
    try:
        table = reader.open(path)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read ({error.strerror or error}).") from None
    check_names(path, [column.name for column in table.columns])
    wide = [matrix for matrix in table.matrices if matrix.width > MOST_COLUMNS]
    if wide:
        raise UnsupportedFormat(f"{path.name} has {wide[0].width:,} columns; at most {MOST_COLUMNS:,} are read.")
    if not table.columns and not table.matrices:
        raise UnsupportedFormat(f"{path.name} holds no column and no matrix with one row a sample.")
    return table


def _reader_for(path: Path) -> Reader:
    if path.is_symlink() and not path.exists():
        raise InvalidInput(f"{path} is a link to {str(path.readlink())!r}, which is not there.")
    if not path.exists():
        raise InvalidInput(f"There is no file {path}.")
    name = path.name.lower()
    fitting = [reader for reader in READERS if name.endswith(reader.suffixes) and reader.folder == path.is_dir()]
    if fitting:
        return fitting[0]
    if path.is_dir():
        raise InvalidInput(f"{path} is a folder; name the files in it, or a folder that ends in .zarr.")
    if not path.is_file():
        raise InvalidInput(f"{path} is not a file.")
    content = "torch" if path.suffix.lower() in _PICKLES else signature(path)
    cure = _CURES.get(content, f"expected a name that ends in {', '.join(suffixes())}").format(name=path.name)
    raise UnsupportedFormat(f"{path.name} is not read: {cure}.")


def _check_content(path: Path, reader: Reader) -> None:
    try:
        content = signature(path)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read ({error.strerror}).") from None
    if content == "empty":
        raise UnsupportedFormat(f"{path.name} is empty: it has no bytes.")
    if content in reader.contents:
        return
    known = [other for other in READERS if content in other.contents and not other.folder]
    if content in _CURES:
        raise UnsupportedFormat(f"{path.name} is a {content} by its content: {_CURES[content].format(name=path.name)}.")
    if known:
        raise UnsupportedFormat(
            f"{path.name} is a {content} file by its content, whatever its name says; rename it to end in "
            f"{known[0].suffixes[0]}."
        )
    raise UnsupportedFormat(f"{path.name} is not a {reader.name} file: by its content it is {content}.")

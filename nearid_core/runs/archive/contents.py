"""What a zip says it holds: every entry is either a file of a run or a reason to refuse the whole archive."""

from __future__ import annotations

import re
import stat
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from nearid_core.errors import UnsupportedFormat
from nearid_core.runs.run import FEATURES, HISTORY, ID, NOTES, RECORD, REPRESENTATIONS, SAMPLES, WEIGHTS
from nearid_core.runs.writer import RunWriter

SET = "set.json"
LARGEST = {RECORD: 1 << 24, NOTES: 1 << 20, SET: 1 << 20}  # bytes of what is parsed in memory
MOST_ENTRIES = 20_000
FREE = 1 << 26  # bytes that an archive may unpack to whatever its own size
MOST_RATIO = 100  # above that: unpacked over packed. Numbers reach 2, layers that are mostly zero 20

_RUN_FILES = {FEATURES, RECORD, NOTES, REPRESENTATIONS, WEIGHTS, SAMPLES, HISTORY, RunWriter.PROGRESS}
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}  # lzma and bzip2 choose how much memory their reader needs
_LOCAL_HEADER = 30  # bytes before an entry's name
_ABSOLUTE = re.compile(r"/|[A-Za-z]:")
_DROPPED = re.compile(r"__MACOSX/|(.*/)?\.DS_Store$")  # what the Finder adds when somebody zips a folder

Entry = zipfile.ZipInfo


@dataclass(frozen=True)
class Contents:
    """runs : entries by run id and file name, every run with its record; chosen : of set.json, where there is one."""

    runs: dict[str, dict[str, Entry]] = field(default_factory=dict)
    chosen: Entry | None = None

    @property
    def bytes(self) -> int:
        """Size of all files of the runs, unpacked."""
        return sum(entry.file_size for files in self.runs.values() for entry in files.values())


def read_contents(archive: zipfile.ZipFile, name: str, size: int) -> Contents:
    """The entries of an archive by run.

    name : of the archive, for messages; size : its bytes.

    Raises UnsupportedFormat for anything that an archive of runs does not have.
    """
    entries = archive.infolist()
    if len(entries) > MOST_ENTRIES:
        raise UnsupportedFormat(f"{name} has {len(entries):,} entries; an archive of runs has up to {MOST_ENTRIES:,}.")
    for entry in entries:
        for refuses, because in _REFUSALS:
            if refuses(entry):
                raise UnsupportedFormat(f"{name} was not added: its entry {shown(entry)} {because}.")
    _check_places(entries, name, size)
    runs: dict[str, dict[str, Entry]] = {}
    chosen = None
    for entry, parts in _kept(entries, name):
        if parts == [SET]:
            chosen = entry
        else:
            runs.setdefault(parts[0], {})[parts[1]] = entry
    for run_id, files in runs.items():
        if RECORD not in files:
            raise UnsupportedFormat(f"{name} was not added: its run {run_id} has no {RECORD}.")
    if not runs:
        raise UnsupportedFormat(f"{name} holds no run; expected what nearid runs export writes: RUN_ID/{RECORD} etc.")
    return Contents(runs, chosen)


def shown(entry: Entry) -> str:
    """An entry's name as a message can carry it: escaped and cut."""
    text = ascii(entry.orig_filename)
    return text if len(text) <= 80 else f"{text[:77]}...'"


def _kept(entries: list[Entry], name: str) -> Iterator[tuple[Entry, list[str]]]:
    """Files of runs with their path. Folders and the Finder's own files are passed over, anything else refused."""
    seen: set[str] = set()
    for entry in entries:
        if entry.is_dir() or _DROPPED.match(entry.orig_filename):
            continue
        parts = entry.orig_filename.split("/")
        if parts != [SET] and not (len(parts) == 2 and ID.fullmatch(parts[0]) and parts[1] in _RUN_FILES):
            raise UnsupportedFormat(
                f"{name} was not added: its entry {shown(entry)} is no file of a run; expected RUN_ID/{RECORD} and the "
                f"files beside it."
            )
        folded = entry.orig_filename.lower()  # one file on a disk that does not tell A from a
        if folded in seen:
            raise UnsupportedFormat(f"{name} was not added: its entry {shown(entry)} is there twice.")
        seen.add(folded)
        yield entry, parts


def _check_places(entries: list[Entry], name: str, size: int) -> None:
    """Entries lie one behind another within the file, and unpack to no more than numbers can."""
    packed = sorted(entries, key=lambda entry: entry.header_offset)
    ends = [entry.header_offset + _LOCAL_HEADER + entry.compress_size for entry in packed]
    for entry, end, following in zip(packed, ends, [*(one.header_offset for one in packed[1:]), size], strict=True):
        if end > following:
            raise UnsupportedFormat(
                f"{name} was not added: its entry {shown(entry)} overlaps another or is cut off, so the file is "
                f"damaged or a zip bomb."
            )
    total = sum(entry.file_size for entry in entries)
    if total > max(FREE, MOST_RATIO * size):
        raise UnsupportedFormat(
            f"{name} was not added: {size:,} bytes unpack to {total:,}, more than {MOST_RATIO} times as many, which "
            f"numbers do not do; it looks like a zip bomb."
        )


def _has_control(entry: Entry) -> bool:
    return not entry.orig_filename.isprintable()


def _is_special(entry: Entry) -> bool:
    """A link, a device or a pipe, as Unix notes it in the upper half of the attributes."""
    kind = stat.S_IFMT(entry.external_attr >> 16)
    return kind not in {0, stat.S_IFREG, stat.S_IFDIR}


def _too_large(entry: Entry) -> bool:
    return entry.file_size > LARGEST.get(entry.orig_filename.rpartition("/")[2], entry.file_size)


_REFUSALS: tuple[tuple[Callable[[Entry], bool], str], ...] = (
    (_has_control, "has a control character in its name"),
    (lambda entry: "\\" in entry.orig_filename, "has a backslash in its name"),
    (lambda entry: bool(_ABSOLUTE.match(entry.orig_filename)), "has an absolute name"),
    (lambda entry: ".." in entry.orig_filename.split("/"), "leads out of the archive"),
    (_is_special, "is a link or a device"),
    (lambda entry: bool(entry.flag_bits & 1), "is encrypted"),
    (lambda entry: entry.compress_type not in _METHODS, "is packed by something other than deflate"),
    (_too_large, "is larger than such a file can be"),
)

"""Named things that menus, the command line and the docs list without knowing them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from typing import Generic, Protocol, TypeVar

from nearid_core.errors import InvalidInput


class Named(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...


Entry = TypeVar("Entry", bound=Named)


class Registry(Generic[Entry]):
    """Entries by name, in the order they were registered.

    kind : what an entry is called in an error message ("dataset").
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._entries: dict[str, Entry] = {}

    def register(self, entry: Entry) -> Entry:
        if entry.name in self._entries:
            raise ValueError(f"{self.kind} {entry.name!r} is registered twice")
        self._entries[entry.name] = entry
        return entry

    def __getitem__(self, name: str) -> Entry:
        if name not in self._entries:
            raise InvalidInput(unknown(self.kind, name, self._entries))
        return self._entries[name]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def names(self) -> list[str]:
        return list(self._entries)


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """A sentence for a name that is not one of `known`, with the nearest one."""
    known = [str(k) for k in known]
    near = difflib.get_close_matches(str(name).lower(), known, n=1, cutoff=0.5)
    hint = f"; did you mean {near[0]!r}?" if near else "."
    choices = ", ".join(known) if known else "none"
    return f"There is no {kind} {name!r} (known: {choices}){hint}"

"""The contract between a queue and what it runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from nearid_core.errors import InvalidInput
from nearid_core.progress import ProgressCallback
from nearid_core.registry import Registry, unknown


class JobKind(Protocol):
    """What the registry holds. Its module imports what it works with inside the two methods."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...

    def check(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The request made explicit (defaults filled in, paths absolute), or InvalidInput; called at submit."""
        ...

    def run(self, request: Mapping[str, Any], on_progress: ProgressCallback) -> dict[str, Any]:
        """Do it and say what came out, in JSON types; called in the worker, with a checked request."""
        ...


JOB_KINDS: Registry[JobKind] = Registry("job kind")


def check_keys(request: Mapping[str, Any], kind: str, required: Iterable[str], optional: Iterable[str]) -> None:
    """Raise InvalidInput unless the request has all of `required` and nothing beside `optional`."""
    required = list(required)
    known = [*required, *optional]
    for key in request:
        if key not in known:
            raise InvalidInput(unknown(f"entry of a {kind} request", key, known))
    lacking = [key for key in required if request.get(key) is None]
    if lacking:
        raise InvalidInput(f"A {kind} request lacks {', '.join(lacking)}; it takes {', '.join(known)}.")

"""Where runs come from: the user's store, and the demo that ships with nearid."""

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import streamlit as st
from platformdirs import user_cache_path

from nearid_core.jobs import JobQueue
from nearid_core.runs import Run, RunSet, RunStore

READONLY = "NEARID_READONLY"
_DEMO = Path(__file__).parents[2] / "data" / "demo" / "runs"
_DEMO_PREFIX = "demo~"  # a user may train the very configuration of the demo; its set has the same id


@dataclass(frozen=True)
class ShownSet:
    """A run set and the store it lies in. `key` names it in URLs."""

    runs: RunSet
    store: RunStore
    demo: bool

    @property
    def key(self) -> str:
        return f"{_DEMO_PREFIX}{self.runs.id}" if self.demo else self.runs.id

    @property
    def label(self) -> str:
        """The title with what the set was trained with first, where that is: a narrow list shows only its beginning."""
        trained = any(run.set_id == self.runs.id for run in self.runs.runs)
        family, settings = split_title(self.runs.title) if trained else (self.runs.title, "")
        name = f"{settings} · {family}" if settings else family
        return f"demo: {name}" if self.demo else name

    @cached_property
    def done(self) -> list[Run]:
        return self.runs.done

    @property
    def noun(self) -> str:
        """What one of them is called: an imported embedding that has no seeds is a table, not a run."""
        return "table" if all(run.is_table for run in self.runs.runs) else "run"

    @property
    def comparable(self) -> bool:
        return len(self.done) > 1 and bool(self.runs.layers)


def split_title(title: str) -> tuple[str, str]:
    """The title of a trained set as dataset and family, and the settings that are not the usual ones."""
    family, _, settings = title.partition(", ")
    return family, settings


def readonly() -> bool:
    """Whether this server only shows: no training, no deletion."""
    return os.environ.get(READONLY, "") not in {"", "0"}


def user_store() -> RunStore:
    return RunStore()


def demo_store() -> RunStore:
    return RunStore(_DEMO)


def shown_sets() -> list[ShownSet]:
    """The user's sets, newest first, then the demo's. Read once a script run."""
    user, demo = user_store(), demo_store()
    own = [ShownSet(runs, user, demo=False) for runs in user.sets()]
    return own if user.path == demo.path else [*own, *(ShownSet(runs, demo, demo=True) for runs in demo.sets())]


def may_change(store: RunStore) -> bool:
    """Whether this page may train into the store, or delete from it."""
    return not readonly() and store.path != demo_store().path and store.writable


def explain_unchangeable(store: RunStore) -> None:
    """Say why nothing can be changed here, where that is so."""
    if readonly():
        st.info("This server only shows runs: it was started read-only.", icon=":material/visibility:")
    elif not store.writable:
        st.warning(
            f"The store `{store.path}` cannot be written, so runs can be looked at but not trained or deleted. "
            "Set `NEARID_STORE` to a folder of yours and start the app again.",
            icon=":material/lock:",
        )


def queue() -> JobQueue:
    """The jobs, beside the user's runs; in the user's cache folder where only comparisons can be made."""
    store = user_store()
    return JobQueue.of(store.path) if may_change(store) else JobQueue(user_cache_path("nearid") / "jobs")

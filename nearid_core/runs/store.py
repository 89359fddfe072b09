"""Runs on disk: whole or absent, nothing in them can execute."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from nearid_core.digest import json_digest
from nearid_core.errors import CorruptRun, InvalidInput, NearIdError
from nearid_core.progress import ProgressCallback
from nearid_core.registry import unknown
from nearid_core.runs import claim
from nearid_core.runs.atomic import remove_older, write_text
from nearid_core.runs.run import ID, NOTES, RECORD, Run, RunSet
from nearid_core.runs.writer import RunWriter

ENVIRONMENT = "NEARID_STORE"
DELETED_KEPT = 24 * 3600  # seconds that a deleted run can still be put back


def default_store() -> Path:
    """``$NEARID_STORE``, else ``data/runs`` beside app.py; never relative to the current folder."""
    given = os.environ.get(ENVIRONMENT)
    return Path(given).expanduser().absolute() if given else Path(__file__).parents[2] / "data" / "runs"


@dataclass(frozen=True)
class Unfinished:
    """A run that is being trained, or whose training was cut off and can be taken up again."""

    id: str
    config: dict[str, Any]
    seed: int
    alive: bool


class RunStore:
    """A folder of runs. Opening one writes nothing; the folder is made when the first run is.

    path : the folder (default: ``$NEARID_STORE``, else ``data/runs`` beside app.py).
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = default_store() if path is None else Path(path).expanduser().absolute()
        if self.path.exists() and not self.path.is_dir():
            raise InvalidInput(f"The store {self.path} is a file; expected a folder.")

    def __repr__(self) -> str:
        return f"RunStore({str(self.path)!r})"

    @property
    def writable(self) -> bool:
        """Whether runs can be added; an absent folder counts when it could be made."""
        there = next(folder for folder in (self.path, *self.path.parents) if folder.exists())
        return there.is_dir() and os.access(there, os.W_OK)

    def prepare(self) -> None:
        """Make the folder and prove that it can be written, before work is spent on it."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            probe = self.path / f".probe-{os.getpid()}-{time.monotonic_ns()}"
            probe.touch()
            probe.unlink()
        except OSError as error:
            raise InvalidInput(
                f"The store {self.path} cannot be written ({error.strerror}); choose another folder with --store or "
                f"{ENVIRONMENT}."
            ) from None

    # -- reading ----------------------------------------------------------------------------------------------

    def runs(self, dataset: str | None = None, family: str | None = None, tag: str | None = None) -> list[Run]:
        """Every whole run, by id and seed; damaged folders are left out and named by `problems`."""
        found = [run for run in self._scan() if isinstance(run, Run)]
        return [
            run
            for run in found
            if (dataset is None or run.dataset["name"] == dataset)
            and (family is None or (run.record.get("config") or {}).get("family") == family)
            and (tag is None or tag in run.tags)
        ]

    def problems(self) -> list[str]:
        """One sentence for each folder that is not a whole run."""
        return [str(error) for error in self._scan() if isinstance(error, NearIdError)]

    def get(self, run_id: str) -> Run:
        """The run of this id. Raises InvalidInput when there is none, CorruptRun when it is damaged."""
        folder = self._folder(run_id)
        if not folder.is_dir():
            raise InvalidInput(unknown(f"run in {self.path}", run_id, [run.id for run in self.runs()]))
        return Run(folder)

    def __contains__(self, run_id: str) -> bool:
        return bool(ID.fullmatch(run_id)) and (self.path / run_id / RECORD).is_file()

    def sets(self) -> list[RunSet]:
        """Runs by dataset and configuration, then the saved choices; newest first within each kind."""
        groups: dict[str, list[Run]] = {}
        for run in self.runs():
            groups.setdefault(run.set_id, []).append(run)
        trained = [RunSet(set_id, runs[0].title, tuple(runs)) for set_id, runs in groups.items()]
        newest_first = sorted(trained, key=lambda one: max(run.created for run in one.runs), reverse=True)
        return [*newest_first, *self._choices()]

    def get_set(self, set_id: str) -> RunSet:
        sets = {one.id: one for one in self.sets()}
        if set_id not in sets:
            raise InvalidInput(unknown(f"run set in {self.path}", set_id, sets))
        return sets[set_id]

    def unfinished(self) -> list[Unfinished]:
        """Runs that were begun and are not whole: being trained now, or cut off and resumable."""
        found = []
        for folder in sorted((self.path / RunWriter.FOLDER).glob("*")):
            with contextlib.suppress(OSError, ValueError, KeyError):
                begun = json.loads((folder / RunWriter.REQUEST).read_text("utf-8"))
                found.append(Unfinished(folder.name, begun["config"], begun["seed"], claim.is_alive(folder)))
        return found

    # -- changing ---------------------------------------------------------------------------------------------

    def begin(self, run_id: str, request: dict[str, Any]) -> RunWriter:
        """Claim a run for writing; the folder appears in the store when the writer finishes it, whole.

        request : what is being made (``config``, ``seed``), kept so that a cut-off run can be named and resumed.

        Raises InvalidInput when another live process holds the claim, or the store cannot be written.
        """
        self.prepare()
        return RunWriter.claim(self.path, self._folder(run_id).name, request)

    def add_archive(self, source: str | Path | BinaryIO, *, on_progress: ProgressCallback | None = None) -> list[Run]:
        """Add the runs of a zip that `export_run` or `export_set` wrote, all of them or none, and return the new ones.

        source : the zip, or a file open for reading bytes. It is read as a file from a stranger: what is no file of a
            run is refused, sizes are bounded while unpacking, and digests, record, arrays and tables are verified
            before a run is in the store. A run that is there already, with the same record, is left as it is.

        Raises UnsupportedFormat for what is no archive of runs, CorruptRun for a run that is not what its record says,
        InvalidInput when the store has all of the runs, or another one of the same id.
        """
        from nearid_core.runs.archive import add_archive

        return add_archive(self, source, on_progress=on_progress)

    def delete(self, run_id: str) -> None:
        """Take a run (damaged or not) out of the store; `restore` puts it back within a day."""
        folder = self._folder(run_id)
        if not folder.is_dir():
            raise InvalidInput(unknown(f"run in {self.path}", run_id, [run.id for run in self.runs()]))
        self.prepare()
        self._purge()
        bin_folder = self.path / ".deleted"
        bin_folder.mkdir(exist_ok=True)
        shutil.rmtree(bin_folder / run_id, ignore_errors=True)
        folder.rename(bin_folder / run_id)
        os.utime(bin_folder / run_id)

    def restore(self, run_id: str) -> Run:
        """Put back a run deleted within the last day."""
        deleted = self.path / ".deleted" / self._folder(run_id).name
        if not deleted.is_dir() or run_id in self:
            raise InvalidInput(f"Run {run_id} cannot be put back: it was not deleted from {self.path} within a day.")
        deleted.rename(self.path / run_id)
        return self.get(run_id)

    def discard(self, run_id: str) -> None:
        """Throw away what a cut-off training left of a run; one that is being trained stays."""
        folder = self.path / RunWriter.FOLDER / self._folder(run_id).name
        if not folder.exists():
            return
        if not claim.take(folder):
            raise InvalidInput(f"Run {run_id} is being trained by {claim.holder(folder)}; stop it first.")
        claim.clear(folder)

    def tag(self, run_id: str, *tags: str, note: str | None = None) -> Run:
        """Replace a run's tags, and its note when one is given."""
        run = self.get(run_id)
        wanted = {"tags": sorted(set(tags)), "note": run.notes["note"] if note is None else note}
        write_text(run.path / NOTES, json.dumps(wanted, ensure_ascii=False))
        return run

    def save_set(self, title: str, run_ids: Iterable[str]) -> RunSet:
        """Keep a choice of runs under a title; the same runs and title give the same id."""
        runs = [self.get(run_id) for run_id in sorted(set(run_ids))]
        chosen = {"title": title, "runs": [run.id for run in runs]}
        set_id = f"choice-{json_digest(chosen)[:8]}"
        folder = self.path / ".sets"
        folder.mkdir(exist_ok=True)
        write_text(folder / f"{set_id}.json", json.dumps(chosen, ensure_ascii=False))
        return RunSet(set_id, title, tuple(runs))

    def delete_set(self, set_id: str) -> None:
        """Forget a saved choice; its runs stay."""
        (self.path / ".sets" / f"{self._folder(set_id).name}.json").unlink(missing_ok=True)

    # -- inside -----------------------------------------------------------------------------------------------

    def _folder(self, run_id: str) -> Path:
        if not ID.fullmatch(run_id):
            raise InvalidInput(f"{run_id!r} is not a run id: expected letters, digits, '.', '_' and '-' only.")
        return self.path / run_id

    def _scan(self) -> Iterator[Run | NearIdError]:
        folders = [folder for folder in self.path.glob("*") if folder.is_dir() and ID.fullmatch(folder.name)]
        for folder in sorted(folders, key=lambda folder: _natural(folder.name)):
            try:
                yield Run(folder)
            except FileNotFoundError:  # deleted by somebody else since it was listed
                continue
            except NearIdError as error:
                yield error

    def _choices(self) -> list[RunSet]:
        chosen = []
        for file in sorted((self.path / ".sets").glob("choice-*.json")):
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                saved = json.loads(file.read_text("utf-8"))
                runs, missing = [], []
                for run_id in saved["runs"]:
                    try:
                        runs.append(self.get(run_id))
                    except (InvalidInput, CorruptRun):
                        missing.append(run_id)
                chosen.append(RunSet(file.stem, saved["title"], tuple(runs), tuple(missing)))
        return chosen

    def _purge(self) -> None:
        remove_older(self.path / ".deleted", DELETED_KEPT)


def _natural(name: str) -> list[Any]:
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split(r"(\d+)", name)]

"""Long work outside the page: submit, look, cancel."""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from nearid_core.errors import InvalidInput, NearIdError
from nearid_core.jobs import workers
from nearid_core.jobs.folder import JobFolder, now
from nearid_core.jobs.kinds import JOB_KINDS
from nearid_core.jobs.line import JOB_ID, Line, jobs
from nearid_core.jobs.status import OVER, JobStatus
from nearid_core.progress import Progress
from nearid_core.registry import unknown

FOLDER = ".jobs"
LONGEST_LINE = 32

_STAMP = "%Y%m%dT%H%M%S%f"


class JobQueue:
    """Jobs of one folder, done one at a time in the order they were submitted, each in a process of its own.

    Everything is on disk: any number of queues, in any number of processes, may look at one folder, and a job goes on
    when the one who submitted it is gone.

    folder : made with the first job. The usual place is `JobQueue.of(store)`.
    worker : the module that is run for each job; one of your own can register further kinds, then call
        ``nearid_core.jobs.worker.main``.
    """

    def __init__(self, folder: str | Path, *, worker: str = "nearid_core.jobs.worker") -> None:
        self.folder = Path(folder).expanduser().absolute()
        self.worker = worker

    @classmethod
    def of(cls, store: str | Path) -> JobQueue:
        """The queue that belongs to the run store at this path."""
        return cls(Path(store) / FOLDER)

    def submit(self, kind: str, request: Mapping[str, Any]) -> str:
        """Put a job at the end of the line; its id.

        Raises InvalidInput when the kind is unknown or the request is not one that it takes, NearIdError when too many
        jobs wait already. Nothing is written then.
        """
        checked = JOB_KINDS[kind].check(_only_json(request))
        waiting = sum(status.state == "queued" for status in self.list())
        if waiting >= LONGEST_LINE:
            raise NearIdError(f"{waiting} jobs wait in {self.folder} already; wait for some, or cancel them.")
        job = self._create(kind, checked)
        try:
            workers.start(job, self.worker)
        except OSError as error:
            shutil.rmtree(job.path, ignore_errors=True)
            raise NearIdError(f"The worker process could not be started ({error.strerror}).") from None
        return job.id

    def status(self, job_id: str) -> JobStatus:
        """Where the job stands. Raises InvalidInput when there is none of this id."""
        job = self._job(job_id)
        return _status(job, ahead=len(Line(job).ahead()))

    def history(self, job_id: str) -> list[Progress]:
        """Every report of the job so far, at most five a second."""
        return self._job(job_id).history()

    def list(self) -> list[JobStatus]:
        """Every job, in the order of submission."""
        statuses: list[JobStatus] = []
        unfinished = 0
        for job in jobs(self.folder):
            statuses.append(_status(job, ahead=unfinished))
            unfinished += not statuses[-1].over
        return statuses

    def cancel(self, job_id: str) -> JobStatus:
        """Stop a job, waiting or running, within 2 seconds; one that is over stays as it is."""
        job = self._job(job_id)
        if not job.over and workers.end(job) and not job.over:
            job.write(**_last_word(job))
        return self.status(job_id)

    def forget(self, job_id: str) -> None:
        """Remove a job that is over, with its log. Its results (runs, cached comparisons) stay."""
        job = self._job(job_id)
        if not self.status(job_id).over:
            raise InvalidInput(f"Job {job_id} is not over yet; cancel it first.")
        shutil.rmtree(job.path, ignore_errors=True)

    def _job(self, job_id: str) -> JobFolder:
        if not JOB_ID.fullmatch(job_id) or not (self.folder / job_id).is_dir():
            raise InvalidInput(unknown(f"job in {self.folder}", job_id, [job.id for job in jobs(self.folder)]))
        return JobFolder(self.folder / job_id)

    def _create(self, kind: str, request: dict[str, Any]) -> JobFolder:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            name = f"{self._stamp()}-{kind}-{secrets.token_hex(2)}"
            return JobFolder.create(self.folder / name, kind, request)
        except OSError as error:
            raise InvalidInput(f"The job folder {self.folder} cannot be written ({error.strerror}).") from None

    def _stamp(self) -> str:
        """The time, but later than every job there is: a clock that was set back lets nobody jump the line."""
        moment = datetime.now(UTC).replace(tzinfo=None)
        for last in jobs(self.folder)[-1:]:
            stamped = datetime.strptime(last.id.partition("-")[0], _STAMP)
            moment = max(moment, stamped + timedelta(microseconds=1))
        return moment.strftime(_STAMP)


def _record(job: JobFolder) -> dict[str, Any]:
    """The job's own record, completed where its worker died before it could."""
    record = job.record()
    if record["state"] not in OVER and not workers.is_alive(job):
        record = job.record()  # it may have ended well between the two looks
        if record["state"] not in OVER:
            record |= _last_word(job)
            if workers.is_child(job):
                job.write(**record)  # only its parent knows how it died, and may be gone when the next one asks
    if record["state"] in OVER:
        workers.reap(job)
    return record


def _status(job: JobFolder, ahead: int) -> JobStatus:
    record, asked = _record(job), job.request()
    return JobStatus(
        id=job.id,
        kind=asked.get("kind", job.id.split("-")[1]),
        request=asked.get("request", {}),
        state=record["state"],
        reason=record.get("reason"),
        result=record.get("result"),
        progress=job.progress(),
        created=_moment(record.get("created")),
        started=_moment(record.get("started")),
        ended=_moment(record.get("ended")),
        ahead=ahead if record["state"] == "queued" else 0,
        log=job.log_tail(),
    )


def _last_word(job: JobFolder) -> dict[str, Any]:
    """What a worker that is dead would have written."""
    if job.asked_to_stop:
        return {"state": "cancelled", "reason": "Stopped on request.", "ended": now()}
    return {"state": "failed", "reason": workers.cause_of_death(job), "ended": workers.last_sign(job)}


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _only_json(request: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of the request as it will be read back, or InvalidInput."""
    try:
        return json.loads(json.dumps(dict(request), allow_nan=False))
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"A request holds JSON values only ({error}).") from None

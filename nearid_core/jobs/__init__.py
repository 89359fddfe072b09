"""Long work outside the page: submit, status, cancel. One job at a time, in worker processes that outlive the page."""

from nearid_core.jobs.kinds import JOB_KINDS, JobKind
from nearid_core.jobs.queue import LONGEST_LINE, JobQueue
from nearid_core.jobs.status import JobStatus

__all__ = ["JOB_KINDS", "LONGEST_LINE", "JobKind", "JobQueue", "JobStatus"]

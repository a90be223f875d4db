"""Long work: done beside the worker, so that the pointer never waits for it, with progress and a way to stop it."""

import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from inbetweener.errors import InbetweenerError
from inbetweener.maths.search import asking
from inbetweener.studio.protocol import to_page
from inbetweener.studio.session.worker import Refusal, Worker

T = TypeVar("T")
_log = logging.getLogger(__name__)

THREADS = 2
"""Jobs at a time; kernels release the interpreter, so one job does not stop another."""
MOST_JOBS = 16
"""Under way and waiting."""
BETWEEN_UPDATES = 0.1
"""Seconds between two messages about one job's progress."""


class Cancelled(InbetweenerError):
    """The animator wants no more of it; raised within the work, which tidies up and lets it pass."""


@dataclass(frozen=True, slots=True)
class Ending:
    """What a finished job has to say: a line, whether less came of it than was wished, what it wrote, and where."""

    text: str = ""
    short: bool = False
    path: str | None = None
    url: str | None = None


@dataclass(slots=True, eq=False)
class Job:
    """A piece of work under way or over; only the session's worker changes it, but for `share`."""

    number: int
    label: str
    state: Literal["running", "done", "failed", "cancelled"] = "running"
    share: float | None = None
    ending: Ending = field(default_factory=Ending)
    when_over: list[Callable[["Job"], None]] = field(default_factory=list)

    def message(self) -> to_page.Job:
        """How pages are told of it."""
        return to_page.Job(
            job=self.number,
            label=self.label,
            state=self.state,
            progress=1.0 if self.state == "done" else self.share,
            text=self.ending.text,
            short=self.ending.short,
            path=self.ending.path,
            url=self.ending.url,
        )


class Progress:
    """Given to the work, to be called often; searches ask it before each step of theirs."""

    def __init__(self, job: Job, tell: Callable[[Job], None]) -> None:
        self._job, self._tell = job, tell
        self._sent = time.perf_counter()

    def __call__(self, share: float | None = None) -> None:
        """Say which share is done, 0 to 1 where known; raises Cancelled when nobody waits for it any more."""
        if self._job.state == "cancelled":
            raise Cancelled(f"{self._job.label!r} was cancelled")
        if share is None:
            return
        self._job.share = min(1.0, max(0.0, share))
        if (now := time.perf_counter()) - self._sent >= BETWEEN_UPDATES:
            self._sent = now
            self._tell(self._job)


class Jobs:
    """Runs work on threads of its own and brings what came of it back to the session's worker.

    `start` and `cancel` are called on the worker's thread; so are `then` and all tellings.
    """

    def __init__(self, worker: Worker, tell: Callable[[to_page.Job], None]) -> None:
        self._worker, self._tell = worker, tell
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="studio-job")
        self._prompt = ThreadPoolExecutor(1, thread_name_prefix="studio-save")
        self._running: dict[int, Job] = {}
        self._started = 0

    @property
    def running(self) -> tuple[Job, ...]:
        """Jobs that are not over, oldest first."""
        return tuple(self._running.values())

    def start(
        self, label: str, work: Callable[[Progress], T], then: Callable[[T], Ending | None], *, prompt: bool = False
    ) -> Job:
        """Let `work` run off the worker, then `then` on the worker with its result, unless it was cancelled.

        What is `prompt` waits for no other job.

        An InbetweenerError from either ends the job as failed with its text. `then` must check that the document is
        still the one that the work began from (`Session.apply_later`).
        """
        if len(self._running) >= MOST_JOBS:
            raise Refusal(f"{label}: {MOST_JOBS} pieces of work are waiting already; cancel some, or wait")
        self._started += 1
        job = Job(self._started, label)
        self._running[job.number] = job
        self._tell(job.message())
        (self._prompt if prompt else self._pool).submit(self._run, job, work, then)
        return job

    def cancel(self, number: int) -> bool:
        """Stop a job: it is over at once, and its thread stops at the next progress. False when it was over before."""
        job = self._running.get(number)
        if job is None:
            return False
        self._end(job, "cancelled", Ending(f"{job.label}: cancelled"))
        return True

    def stop(self) -> None:
        """Cancel everything; the worker must still run, and this must not be called on its thread."""
        self._worker.submit(self._cancel_all)
        for pool in (self._pool, self._prompt):
            pool.shutdown(wait=True, cancel_futures=True)

    def _cancel_all(self) -> None:
        for job in self.running:
            self.cancel(job.number)

    def _run(self, job: Job, work: Callable[[Progress], T], then: Callable[[T], Ending | None]) -> None:
        """On a thread of the pool."""
        try:
            progress = Progress(job, self._tell_progress)
            with asking(progress):
                result = work(progress)
        except Exception as error:
            failure = error
            self._worker.submit(lambda: self._fail(job, failure))
        else:
            self._worker.submit(lambda: self._finish(job, then, result))

    def _tell_progress(self, job: Job) -> None:
        self._worker.renew(("job", job.number), lambda: self._tell(job.message()) if job.state == "running" else None)

    def _finish(self, job: Job, then: Callable[[T], Ending | None], result: T) -> None:
        if job.state != "running":
            return
        try:
            ending = then(result) or Ending()
        except Exception as error:
            self._fail(job, error)
        else:
            self._end(job, "done", ending)

    def _fail(self, job: Job, error: Exception) -> None:
        if job.state != "running":
            return
        if isinstance(error, InbetweenerError):
            self._end(job, "failed", Ending(str(error)))
        elif isinstance(error, OSError):
            where = f"{error.filename}: " if error.filename else ""
            self._end(job, "failed", Ending(f"{job.label}: {where}{error.strerror or error}"))
        else:
            _log.error("%s failed", job.label, exc_info=error)
            text = f"{job.label}: the Studio made a mistake ({type(error).__name__}); nothing was changed"
            self._end(job, "failed", Ending(text))

    def _end(self, job: Job, state: Literal["done", "failed", "cancelled"], ending: Ending) -> None:
        job.state, job.ending = state, ending
        del self._running[job.number]
        self._tell(job.message())
        for listener in job.when_over:
            listener(job)

"""The same jobs on many machines, by Dask distributed: it schedules, we only hand over clips and take records back.

A Dask worker does a clip in a lane of its own, so that limits hold there too and a clip that dies takes nothing along.
A worker that dies is Dask's to mend: the clip goes to another. Workers of another version are refused by name, also
those that join late. When the scheduler is started anew, what is not done is handed over again; what was done meanwhile
is found done.
"""

import importlib.metadata
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from queue import Empty, SimpleQueue
from typing import Any

import msgspec

from inbetweener import __version__
from inbetweener.batch.lane import MACHINE, Lane
from inbetweener.batch.store import EXTRA, Unreachable
from inbetweener.batch.work import Job, MachineProblem, Record, encoded

PATIENCE = 30.0
"""Seconds to wait for a scheduler, and as long again and again for one that was there and is gone."""
LONGEST = 300.0
"""Seconds after which one that is gone is given up."""
AHEAD = 3
"""Clips handed over for each thread of the cluster: enough that none waits, few enough that a million is no list."""
LEAST_AHEAD = 64

Tell = Callable[[dict[str, Any]], None]
LOOK = 2.0
"""Seconds without an answer after which we look who is there."""
REFUSED = b"refused "
_lanes = threading.local()
_started: list[Lane] = []
"""Lanes of this process, to be ended with its cluster; those of other machines end with their workers."""


def done_by_worker(line: bytes, version: str) -> bytes:
    """What a Dask worker does: one clip. Answers with a record, or with what is wrong with its machine or itself."""
    from distributed import get_worker

    here = get_worker().address
    if version != __version__:
        return REFUSED + f"{here} {__version__}".encode()
    if not hasattr(_lanes, "lane"):
        _lanes.lane = Lane()
        _started.append(_lanes.lane)
    try:
        return encoded(_lanes.lane.do(msgspec.json.decode(line, type=Job)))
    except MachineProblem as problem:
        return MACHINE + f"{here}: {problem}".encode()


def done_on(on: str, jobs: Sequence[Job], say: Tell) -> Generator[Record, None, None]:
    """Do jobs on a scheduler at "tcp://…", or on so many workers of this machine: "local:4"."""
    try:
        importlib.metadata.version("distributed")
    except importlib.metadata.PackageNotFoundError as error:
        raise Unreachable(f"running on {on} needs Dask: {EXTRA}") from error
    if not on.startswith("local:"):
        yield from _handed_over(on, list(jobs), say)
        return
    import dask
    from distributed import LocalCluster

    count = on.removeprefix("local:")
    if not count.isdecimal() or not 0 < int(count) < 1000:
        raise Unreachable(f"{on!r} is no number of workers; write it like local:4")
    # Within this process, which needs no port: whoever reaches one of Dask's runs what they like. Lanes are processes.
    # It always has pages of its own: empty ones, and for this machine alone.
    pages = {"dashboard_address": "127.0.0.1:0", "worker_dashboard_address": "127.0.0.1:0"}
    nothing: dict[str, list[str]] = {f"distributed.{each}.http.routes": [] for each in ("scheduler", "worker")}
    with (
        dask.config.set(nothing),
        LocalCluster(n_workers=int(count), threads_per_worker=1, processes=False, silence_logs=50, **pages) as cluster,
    ):
        try:
            yield from _handed_over(cluster.scheduler_address, list(jobs), say)
        finally:
            while _started:
                _started.pop().close()


def _handed_over(address: str, jobs: list[Job], say: Tell) -> Iterator[Record]:
    """Hand over what is not done, for as long as there is a scheduler, also a new one at the same place."""
    left = {job.name: job for job in jobs}
    gone_since: float | None = None
    while left:
        try:
            for record in _from(address, left, say):
                gone_since = None
                yield record
        except _Lost as lost:
            if gone_since is None:
                gone_since = time.monotonic()
                say({"event": "note", "text": f"the scheduler at {address} is gone; waiting for it to come back"})
            elif time.monotonic() - gone_since > LONGEST:
                raise Unreachable(f"the scheduler at {address} is gone: {lost}; start it and the batch again") from lost
        except Unreachable:
            if gone_since is None or time.monotonic() - gone_since > LONGEST:
                raise


class _Lost(Exception):
    """The scheduler went away."""


def _from(address: str, left: dict[str, Job], say: Tell) -> Iterator[Record]:
    from distributed import Client

    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False, name="inbetweener")
    except (OSError, ValueError) as error:
        raise Unreachable(f"no scheduler answers at {address}: {_line(error)}; is it started?") from error
    try:
        yield from _Crew(client, say).done(left)
    except OSError as error:
        raise _Lost(_line(error)) from error
    finally:
        client.close(timeout=1)


class _Crew:
    """The workers of a scheduler, which of them are refused, and what they have in hand."""

    def __init__(self, client: Any, say: Tell) -> None:
        self.client, self.say = client, say
        self.good: set[str] = set()
        self.refused: dict[str, str] = {}
        self.in_hand: dict[str, tuple[Any, Job, list[str]]] = {}
        self.answers: SimpleQueue[Any] = SimpleQueue()

    def done(self, left: dict[str, Job]) -> Iterator[Record]:
        """Records as they come; what is not done stays in `left`."""
        todo = iter(list(left.values()))
        while left:
            self._look()
            while (
                len(self.in_hand) < max(LEAST_AHEAD, AHEAD * len(self.good)) and (job := next(todo, None)) is not None
            ):
                self._hand_over(job)
            for future in self._answered():
                _, job, _ = self.in_hand.pop(future.key)
                answer = _result(future, job.name)
                if answer.startswith(REFUSED):
                    self._refuse(*answer.removeprefix(REFUSED).decode().split(" "))
                    self._hand_over(job)
                else:
                    del left[job.name]
                    yield msgspec.json.decode(answer, type=Record)

    def _look(self) -> None:
        """Ask those who are new for their version."""
        there = set(self.client.scheduler_info(n_workers=-1)["workers"])
        self.good &= there
        if new := sorted(there - self.good - self.refused.keys()):
            # By value, so that also who never heard of batches can answer.
            asked = self.client.run(lambda: __import__("inbetweener").__version__, workers=new, on_error="return")
            for worker, version in asked.items():
                if version == __version__:
                    self.good.add(worker)
                elif not isinstance(version, OSError):  # that one is gone
                    self._refuse(worker, str(version))
        if self.refused and not self.good and not self.in_hand:
            raise Unreachable(f"no worker is of this version: {', '.join(self.refused.values())}")

    def _refuse(self, worker: str, version: str) -> None:
        if worker not in self.refused:
            self.good.discard(worker)
            self.refused[worker] = f"worker {worker} has inbetweener {version}, not {__version__}"
            self.say({"event": "note", "text": f"refused: {self.refused[worker]}"})

    def _hand_over(self, job: Job) -> None:
        # Dask chooses among all, unless some are refused.
        among = sorted(self.good) if self.refused else []
        future = self.client.submit(
            done_by_worker, encoded(job), __version__, pure=False, retries=2, workers=among or None
        )
        self.in_hand[future.key] = (future, job, among)
        future.add_done_callback(self.answers.put)

    def _answered(self) -> list[Any]:
        """What came, after a while at most; where nothing did, clips whose workers are all gone go to others."""
        try:
            found = [self.answers.get(timeout=LOOK)]
        except Empty:
            self._look()
            stuck = [key for key, (_, _, among) in self.in_hand.items() if among and not self.good & set(among)]
            for future, job, _ in [self.in_hand.pop(key) for key in stuck if self.good]:
                future.cancel()
                self._hand_over(job)
            return []
        while not self.answers.empty():
            found.append(self.answers.get())
        return [each for each in found if each.key in self.in_hand]


def _result(future: Any, name: str) -> bytes:
    from distributed import CancelledError, KilledWorker

    if future.status in ("lost", "cancelled"):
        raise _Lost(f"{name} came back {future.status}")
    try:
        answer: bytes = future.result()
    except KilledWorker as error:
        raise MachineProblem(f"{name}: its workers died again and again; look at their logs") from error
    except CancelledError as error:
        raise _Lost(f"{name} was cancelled") from error
    if answer.startswith(MACHINE):
        raise MachineProblem(answer.removeprefix(MACHINE).decode())
    return answer


def _line(error: BaseException) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__

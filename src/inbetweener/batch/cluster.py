"""The same jobs on many machines, by Dask distributed: it schedules, we only hand over clips and take records back.

A Dask worker does a clip in a lane of its own, so that limits hold there too and a clip that dies takes nothing along.
A worker that dies is Dask's to mend: the clip goes to another. When the scheduler itself is started anew, what is not
done is handed over again; what was done meanwhile is found done.
"""

import importlib.metadata
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any

import msgspec

from inbetweener import __version__
from inbetweener.batch.lane import Lane
from inbetweener.batch.store import EXTRA, Unreachable
from inbetweener.batch.work import Job, MachineProblem, Record, encoded

PATIENCE = 30.0
"""Seconds to wait for a scheduler, or for it to come back."""
AHEAD = 3
"""Clips handed over for each thread of the cluster: enough that none waits, few enough that a million is no list."""
LEAST_AHEAD = 64

_lanes = threading.local()


def done_by_worker(line: bytes, version: str) -> bytes:
    """What a Dask worker does: one clip, if it has the version that is asked for. Answers with the worker's name."""
    from distributed import get_worker

    here = get_worker().address
    if version != __version__:
        return msgspec.json.encode({"worker": here, "version": __version__})
    job = msgspec.json.decode(line, type=Job)
    if not hasattr(_lanes, "lane"):
        _lanes.lane = Lane()
    try:
        record = _lanes.lane.do(job)
    except MachineProblem as problem:
        return msgspec.json.encode({"worker": here, "machine": str(problem)})
    return msgspec.json.encode({"worker": here, "record": msgspec.json.decode(encoded(record))})


def done_on(on: str, jobs: Sequence[Job], say: Callable[[dict[str, Any]], None]) -> Generator[Record, None, None]:
    """Do jobs on a scheduler at "tcp://…", or on so many workers of this machine: "local:4"."""
    try:
        importlib.metadata.version("distributed")
    except importlib.metadata.PackageNotFoundError as error:
        raise Unreachable(f"running on {on} needs Dask: {EXTRA}") from error
    if not on.startswith("local:"):
        yield from _handed_over(on, list(jobs), say)
        return
    from distributed import LocalCluster

    count = on.removeprefix("local:")
    if not count.isdecimal() or not 0 < int(count) < 1000:
        raise Unreachable(f"{on!r} is no number of workers; write it like local:4")
    with LocalCluster(n_workers=int(count), threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
        yield from _handed_over(cluster.scheduler_address, list(jobs), say)


def _handed_over(address: str, jobs: list[Job], say: Callable[[dict[str, Any]], None]) -> Iterator[Record]:
    """Hand over what is not done, for as long as there is a scheduler, also a new one at the same place."""
    left = {job.name: job for job in jobs}
    refused: dict[str, str] = {}
    lost_at = 0.0
    while left:
        try:
            for record in _from(address, left, refused, say):
                lost_at = 0.0
                yield record
        except _Lost as lost:
            lost_at = lost_at or time.monotonic()
            if time.monotonic() - lost_at > PATIENCE:
                raise Unreachable(
                    f"the scheduler at {address} is gone: {lost}; start it, then the batch again"
                ) from lost
            say({"event": "note", "text": f"the scheduler at {address} is gone; waiting for it"})


class _Lost(Exception):
    """The scheduler went away."""


def _from(
    address: str, left: dict[str, Job], refused: dict[str, str], say: Callable[[dict[str, Any]], None]
) -> Iterator[Record]:
    import distributed
    from distributed import Client, as_completed

    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False, name="inbetweener")
    except (OSError, ValueError) as error:
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise Unreachable(f"no scheduler answers at {address}: {why}; is it started?") from error
    try:
        todo = iter(list(left.values()))
        names: dict[Any, str] = {}
        waiting = as_completed(with_results=False)

        def hand_over(job: Job) -> None:
            workers = [each for each in client.scheduler_info(n_workers=-1)["workers"] if each not in refused]
            if refused and not workers:
                raise Unreachable(f"no worker has inbetweener {__version__}: {_said(refused)}")
            future = client.submit(
                done_by_worker, encoded(job), __version__, pure=False, retries=2,
                workers=workers if refused else None,
            )  # fmt: skip
            names[future.key] = job.name
            waiting.add(future)

        def refill() -> None:
            threads = sum(client.nthreads().values())
            while len(names) < max(LEAST_AHEAD, AHEAD * threads) and (job := next(todo, None)) is not None:
                hand_over(job)

        refill()
        while names:
            future = next(waiting)
            name = names.pop(future.key)
            if future.status in ("lost", "cancelled"):
                raise _Lost(f"{name} came back {future.status}")
            answer = msgspec.json.decode(_result(future, name))
            if "machine" in answer:
                raise MachineProblem(f"{answer['worker']}: {answer['machine']}")
            if "version" in answer:
                if answer["worker"] not in refused:
                    refused[answer["worker"]] = answer["version"]
                    say({"event": "note", "text": f"refused: {_said({answer['worker']: answer['version']})}"})
                hand_over(left[name])
                continue
            del left[name]
            refill()
            yield msgspec.convert(answer["record"], Record)
    except (distributed.comm.CommClosedError, TimeoutError, OSError) as error:
        raise _Lost(str(error).splitlines()[0] if str(error) else type(error).__name__) from error
    finally:
        client.close(timeout=1)


def _result(future: Any, name: str) -> bytes:
    from distributed import CancelledError, KilledWorker

    try:
        answer: bytes = future.result()
    except KilledWorker as error:
        raise MachineProblem(
            f"{name}: its workers died {error.allowed_failures + 1} times; look at their logs"
        ) from error
    except CancelledError as error:
        raise _Lost(f"{name} was cancelled") from error
    return answer


def _said(refused: dict[str, str]) -> str:
    return ", ".join(f"worker {each} has inbetweener {version}, not {__version__}" for each, version in refused.items())

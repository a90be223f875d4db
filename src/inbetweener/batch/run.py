"""A whole library through a recipe: what is missing is found, done by lanes side by side, told as it goes, reported.

Nothing is remembered but what is on the disk: killed at any moment and started again, a batch does what is missing.
"""

import time
import zlib
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, Literal

import msgspec

from inbetweener import kernels
from inbetweener.batch.hand import Hand, as_hand
from inbetweener.batch.lane import Lane
from inbetweener.batch.recipe import Recipe, read_recipe
from inbetweener.batch.store import ABOUT, Store, store_at
from inbetweener.batch.work import Job, Record, as_record, machine_problems
from inbetweener.errors import InvalidEdit
from inbetweener.formats import NUMBERS, READABLE
from inbetweener.system import free_cores, total_memory

Tell = Callable[[dict[str, Any]], None]
"""Called with each event: a plain dictionary whose "event" is "begin", "clip" or "end"."""


class About(msgspec.Struct, frozen=True):
    """What a batch's folder says of itself: the recipe, the figure by which clips are bad, and where they came from."""

    recipe: str
    about: str
    steps: str
    worst: str
    source: str


CHUNK = 1000
"""Records that are asked for at a time."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a batch would do: jobs, how many are done, the failures on record, name and problem, and how many people
    marked as done: these are left alone.
    """

    jobs: tuple[Job, ...]
    done: int
    failed: tuple[tuple[str, str], ...]
    marked: int = 0

    def __str__(self) -> str:
        marked = f", {self.marked} marked as done" if self.marked else ""
        return f"{len(self.jobs)} to do, {self.done} done{marked}, {len(self.failed)} failed before"


@dataclass(frozen=True, slots=True)
class BatchOutcome:
    """What a batch did: clips done now, done already, failed, by name with the reason, and left alone as people marked
    them as done; where the report is.
    """

    output: str
    done: int
    already: int
    failed: tuple[tuple[str, str], ...]
    seconds: float
    report: str = ""
    marked: int = 0

    def __str__(self) -> str:
        told = f"{self.done} done in {self.seconds:.1f} s, {self.already} were done already, {len(self.failed)} failed"
        told += f", {self.marked} marked as done were left alone" if self.marked else ""
        return f"{told}\n{self.report}" if self.report else told


def plan(
    recipe: Recipe | str | Path,
    folder: str | Path,
    output: str | Path,
    *,
    limit: int | None = None,
    only: Literal["failed"] | None = None,
    shard: tuple[int, int] | None = None,
) -> Plan:
    """What is missing, by what is on record; whether a file that was touched also changed, only its content tells.

    limit  so many clips at most
    only   "failed": those that failed before, once more; without it they are left alone
    shard  (number, of how many): a part of the library that stays the same whatever else is in it
    """
    wanted = recipe if isinstance(recipe, Recipe) else read_recipe(recipe)
    source, target = store_at(folder), store_at(output)
    jobs: list[Job] = []
    failed: list[tuple[str, str]] = []
    done = marked = 0
    hands = {name: as_hand(kept, name) for name, kept in target.hands().items()}
    for names in _chunks(source, target.root, wanted.suffixes, shard):
        for (name, stamp), record in zip(names, _records(target, [name for name, _ in names]), strict=True):
            job = Job(source.root, target.root, name, wanted)
            hand = hands.get(name) or Hand(name)
            current = record is not None and (record.key, record.stamp, record.hand) == (job.key, stamp, hand.id)
            if current and hand.done:
                marked += 1
            elif record is not None and current and record.status == "failed":
                failed.append((name, record.problem))
                if only == "failed":
                    jobs.append(replace(job, again=True))
            elif current:
                done += 1
            elif only is None:
                jobs.append(job)
    return Plan(tuple(jobs[:limit]), done, tuple(failed), marked)


def _chunks(
    source: Store, without: str, suffixes: tuple[str, ...], shard: tuple[int, int] | None = None
) -> Iterator[list[tuple[str, str]]]:
    chunk: list[tuple[str, str]] = []
    for name, stamp in source.library(suffixes, without):
        if shard is None or zlib.crc32(name.encode()) % shard[1] == shard[0]:
            chunk.append((name, stamp))
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _records(target: Store, names: list[str]) -> list[Record | None]:
    return [as_record(each, name) for name, each in zip(names, target.records(names), strict=True)]


def records(folder: str | Path, output: str | Path) -> Iterator[Record]:
    """What is on record of every file that is in the library now."""
    source, target = store_at(folder), store_at(output)
    for names in _chunks(source, target.root, (*READABLE, *NUMBERS)):
        yield from (each for each in _records(target, [name for name, _ in names]) if each is not None)


def run(
    recipe: Recipe | str | Path,
    folder: str | Path,
    output: str | Path,
    *,
    jobs: int | None = None,
    limit: int | None = None,
    only: Literal["failed"] | None = None,
    shard: tuple[int, int] | None = None,
    on: str | None = None,
    tell: Tell | None = None,
) -> BatchOutcome:
    """Run a recipe over every file of a folder, or of an address such as s3://bucket/takes; see `plan` for the rest.

    jobs  how many at a time; as many as there are cores, and memory for them
    on    a Dask scheduler ("tcp://host:8786"), or "local:4" for one of so many workers on this machine
    """
    from inbetweener.batch.report import write_report

    wanted = recipe if isinstance(recipe, Recipe) else read_recipe(recipe)
    if jobs is not None and jobs < 1:
        raise InvalidEdit("a batch needs one job at a time at least", "jobs")
    target, say = store_at(output), tell or (lambda event: None)
    if on is None and not kernels.is_warm():
        # Once, for all lanes: each would compile for itself what it needs.
        for at, of, _ in kernels.warm_up():
            say({"event": "compile", "at": at, "of": of})
    started = time.perf_counter()
    with machine_problems(target.root), target.begin() if shard is None else nullcontext():
        todo = plan(wanted, folder, output, limit=limit, only=only, shard=shard)
        counted = _Counted(len(todo.jobs), say)
        say({"event": "begin", "recipe": wanted.name, "to_do": len(todo.jobs), "done": todo.done,
             "failed_before": len(todo.failed), "marked": todo.marked})  # fmt: skip
        about = About(wanted.name, wanted.about, str(wanted), wanted.worst, store_at(folder).root)
        target.write(ABOUT, msgspec.json.format(msgspec.json.encode(about)))
        if on is not None and todo.jobs:
            from inbetweener.batch.cluster import done_on

            results = done_on(on, todo.jobs, say)
        else:
            results = done_here(todo.jobs, jobs or _lanes(wanted))
        with closing(results):
            for record in results:
                counted.add(record)
        # A shard's report would be of a part; whoever has all of them writes it.
        report = write_report(target, wanted, records(folder, output)) if shard is None else ""
    before = () if only == "failed" else todo.failed
    seconds = time.perf_counter() - started
    found = BatchOutcome(
        target.root,
        counted.done,
        todo.done + counted.unchanged,
        (*counted.failed, *before),
        seconds,
        report,
        todo.marked,
    )
    say({"event": "end", "done": found.done, "already": found.already, "failed": len(found.failed),
         "marked": found.marked, "seconds": round(seconds, 3), "report": report})  # fmt: skip
    return found


@dataclass
class _Counted:
    """Counts records and tells of each, with the rate and the time that is left."""

    of: int
    tell: Tell
    done: int = 0
    unchanged: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)
    started: float = field(default_factory=time.perf_counter)

    def add(self, record: Record) -> None:
        if record.status == "failed":
            self.failed.append((record.name, record.problem))
        elif record.status == "unchanged":
            self.unchanged += 1
        else:
            self.done += 1
        at = self.done + self.unchanged + len(self.failed)
        rate = at / max(1e-9, time.perf_counter() - self.started)
        self.tell({
            "event": "clip", "name": record.name, "status": record.status, "problem": record.problem,
            "shortfalls": list(record.shortfalls), "seconds": round(record.total_seconds, 3), "at": at, "of": self.of,
            "per_minute": round(60 * rate, 2), "left_s": round((self.of - at) / rate, 1),
        })  # fmt: skip


def _lanes(recipe: Recipe) -> int:
    cores = free_cores()
    fitting = total_memory() / (1e9 * recipe.limits.memory_gb)
    return max(1, min(cores, int(fitting) if fitting else cores))


def done_here(jobs: Sequence[Job], lanes: int) -> Generator[Record, None, None]:
    """Do jobs in so many processes of this machine; records come as they are done."""
    todo, turn = iter(jobs), Lock()
    answers: SimpleQueue[Record | Exception | None] = SimpleQueue()
    workers = [Lane() for _ in range(min(lanes, len(jobs)))]

    def follow(lane: Lane) -> None:
        try:
            while True:
                with turn:
                    job = next(todo, None)
                if job is None:
                    break
                answers.put(lane.do(job))
        except Exception as error:
            answers.put(error)
        answers.put(None)

    threads = [Thread(target=follow, args=(lane,), daemon=True) for lane in workers]
    try:
        for thread in threads:
            thread.start()
        going = len(threads)
        while going:
            answer = answers.get()
            if isinstance(answer, Exception):
                raise answer
            if answer is None:
                going -= 1
            else:
                yield answer
    finally:
        for lane in workers:
            lane.close()

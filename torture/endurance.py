"""A long session: two pages edit loose, guided and sketched documents; memory, threads, handles and speed stay.

`python -m torture.endurance [--count SECONDS] [--seed SEED]`
"""

import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Event, Lock

import numpy as np

from benchmarks.harness import Figure
from inbetweener.studio.protocol import gestures, to_server
from inbetweener.studio.protocol.guidance import Guidance, GuidanceSettings, TermWeight
from inbetweener.studio.server.client import Client
from inbetweener.studio.session import Refusal
from tests.studio.documents import loose_arm
from torture.command import main, told
from torture.script import step
from torture.studios import FILE, StudioProcess, prepared

WARM_UP = 0.25
"""The share of the time until everything that grows to its size has done so: histories, caches."""
BETWEEN_LOOKS = 0.5
"""Seconds between two looks at the process."""
ALONE = 0.1
"""The share of steps that are taken while the other page waits, so that all work of the Studio is theirs."""
OTHER = "waving"
"""Opened now and then, so that documents come and go."""
ITERATES = 3
SAME_LOOKS = 4
"""So often nothing has changed when the process is said to rest."""
PATIENCE = 60.0
A_MOMENT = 0.05
LONG_ENOUGH = 600
"""Seconds from which on a run has a warm part and one after it: what it must not exceed is judged."""
GUIDING = GuidanceSettings(terms=[TermWeight("torque", 1.0)], channels=["elbow.rz", "elbow.ry"])


@dataclass(frozen=True)
class Look:
    """The process at a moment."""

    seconds: float
    memory: int
    threads: int
    handles: Counter[str]
    """Open files by what they are; all sockets are alike, and so are all journals, which come and go with documents."""


@dataclass
class Tally:
    """What was counted."""

    began: float = field(default_factory=time.monotonic)
    looks: list[Look] = field(default_factory=list)
    rests: list[Look] = field(default_factory=list)
    steps: list[tuple[float, float]] = field(default_factory=list)
    alone: list[tuple[float, float]] = field(default_factory=list)
    refused: int = 0
    guided: int = 0
    made_room: int = 0
    not_guided: Counter[str] = field(default_factory=Counter)
    opened: int = 0

    @property
    def now(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self.began


class Turns:
    """A page takes its own turn for a step, and everybody's where nobody else may do anything meanwhile."""

    def __init__(self, pages: int) -> None:
        self._locks = [Lock() for _ in range(pages)]

    @contextmanager
    def of(self, *numbers: int, page: Client | None = None) -> Iterator[None]:
        """These pages do nothing else; all of them, where none is named. A `page` that waits reads on, as browsers do:
        one that does not is taken to be gone."""
        with ExitStack() as stack:
            for number in numbers or range(len(self._locks)):
                while not self._locks[number].acquire(timeout=-1 if page is None else 0):
                    with suppress(TimeoutError):
                        page.receive(time.monotonic() + A_MOMENT)
                stack.callback(self._locks[number].release)
            yield


def drive(count: int, seed: int) -> list[Figure]:
    """Edit for `count` seconds."""
    with tempfile.TemporaryDirectory(prefix="inbetweener-endurance-") as folder, ExitStack() as stack:
        root = prepared(Path(folder) / "root", loose_arm())
        studio = StudioProcess(root)
        stack.callback(studio.kill)
        tally, over, turns = Tally(), Event(), Turns(2)
        with ThreadPoolExecutor(2) as pool:
            pages = [
                pool.submit(_edit, studio, number, Random(f"{seed} {number}"), tally, over, turns)
                for number in range(2)
            ]
            while tally.now < count and not any(page.done() for page in pages):
                tally.looks.append(_look(studio.number, tally.now))
                if not tally.rests and tally.now > WARM_UP * count:
                    with turns.of():
                        tally.rests.append(_at_rest(studio.number, tally.now))
                over.wait(BETWEEN_LOOKS)
            with turns.of():
                tally.rests.append(_at_rest(studio.number, tally.now))
                over.set()
            for page in pages:
                page.result()
        log = (root / "log").read_text()
    return _figures(tally, count, [log] if "Traceback" in log else [])


def _edit(studio: StudioProcess, number: int, random: Random, tally: Tally, over: Event, turns: Turns) -> None:
    """One page: mostly small steps; sometimes a run of guidance, another document, or coming anew."""
    page = studio.join()
    try:
        while not over.is_set():
            chance = random.random()
            if chance < 0.002:
                # Another document takes what is in hand away, and nobody is told of moves that come after it.
                with turns.of(page=page):
                    _open(page)
                tally.opened += 1
            elif chance < 0.006:
                with turns.of(number, page=page):
                    page.close()
                    page = studio.join()
            elif chance < 0.016:
                # A step of the other page would keep the run as it is and make room for itself: half of them are alone.
                with turns.of(*([] if chance < 0.011 else [number]), page=page):
                    _guide(page, tally)
            elif random.random() < ALONE:
                with turns.of(page=page):
                    began, worked = tally.now, studio.work
                    tally.refused += step(random).play(page) is not None
                    tally.alone.append((began, studio.work - worked))
            else:
                with turns.of(number, page=page):
                    began = tally.now
                    tally.refused += step(random).play(page) is not None
                    tally.steps.append((began, tally.now - began))
            page.notices.clear()
    finally:
        page.close()


def _guide(page: Client, tally: Tally) -> None:
    """Keep the third iterate of a run, or its last, unless the other page's step has kept it before."""
    page.latest.pop(Guidance, None)
    try:
        gesture = page.begin(gestures.Guide(GUIDING))
        while (run := page.wait(Guidance)).state == "running" and run.iterate < ITERATES:
            page.latest.pop(Guidance)
        if run.state == "over":
            tally.made_room += 1
            return
        page.ask(to_server.Commit(id=0, gesture=gesture, iterate=run.iterate))
        tally.guided += 1
    except Refusal as refusal:
        tally.not_guided[refusal.code or str(refusal)] += 1


def _open(page: Client) -> None:
    """Another document and back; both give up what was done."""
    for request in (
        to_server.OpenExample(id=0, name=OTHER, discard=True),
        to_server.OpenFile(id=0, path=FILE, discard=True),
    ):
        page.ask(request)


def _look(process: int, seconds: float) -> Look:
    place = Path(f"/proc/{process}")
    pages = int((place / "statm").read_text().split()[1])
    handles: Counter[str] = Counter()
    for handle in os.listdir(place / "fd"):
        with suppress(FileNotFoundError):  # closed meanwhile
            target = os.readlink(place / "fd" / handle).partition(":[")[0]
            handles["journal" + target.rpartition(".journal")[2] if ".journal" in target else target] += 1
    return Look(seconds, pages * os.sysconf("SC_PAGE_SIZE"), len(os.listdir(place / "task")), handles)


def _at_rest(process: int, seconds: float) -> Look:
    """The process while both pages are there and want nothing: once nothing ends or begins any more."""
    end, look = time.monotonic() + PATIENCE, _look(process, seconds)
    same = 0
    while same < SAME_LOOKS and time.monotonic() < end:
        time.sleep(BETWEEN_LOOKS)
        last, look = look, _look(process, seconds)
        same = same + 1 if (last.threads, last.handles) == (look.threads, look.handles) else 0
    return look


def _figures(tally: Tally, count: int, tracebacks: list[str]) -> list[Figure]:
    end = tally.looks[-1].seconds
    warm = [look for look in tally.looks if look.seconds >= WARM_UP * end]
    tenth = max(1, len(warm) // 10)
    memory = [float(np.median([look.memory for look in part])) for part in (warm[:tenth], warm[-tenth:])]
    first, last = tally.rests
    more = [f"{what}: {last.handles[what]} open, {first.handles[what]} after warming up" for what in last.handles]
    more = [line for line, what in zip(more, last.handles, strict=True) if last.handles[what] > first.handles[what]]
    for why, times in tally.not_guided.most_common():
        print(f"{times} runs of guidance refused: {why}", file=sys.stderr)
    waited, worked = (
        [
            1e3 * float(np.percentile([took for at, took in steps if low * end <= at < high * end], 95))
            for low, high in ((0.25, 0.4375), (0.8125, 2))
        ]
        for steps in (tally.steps, tally.alone)
    )
    judged = count >= LONG_ENOUGH

    def kept(what: str, value: float, unit: str, at_most: float) -> Figure:
        return Figure(what, value, unit, at_most=at_most if judged else None)

    return [
        Figure("seconds", count, "s"),
        Figure("steps", len(tally.steps) + len(tally.alone), ""),
        Figure("of them refused in words", tally.refused, ""),
        Figure("runs of guidance kept", tally.guided, "", at_least=count / 120),
        Figure("runs kept by the other page's next step", tally.made_room, ""),
        Figure("other documents opened", tally.opened, ""),
        Figure("memory after warming up", memory[0] / (1 << 20), "MiB"),
        kept("growth of memory from then on", 100 * (memory[1] / memory[0] - 1), "%", 10),
        kept("threads at the end beyond those after warming up", last.threads - first.threads, "", 0),
        kept("kinds of open files of which there are more at the end", told(more), "", 0),
        Figure("work on a step, p95, after warming up", worked[0], "ms"),
        kept("work on a step, p95, at the end", worked[1], "ms", 1.5 * worked[0]),
        Figure("until a step is answered, p95, after warming up", waited[0], "ms"),
        Figure("until a step is answered, p95, at the end", waited[1], "ms"),
        Figure("tracebacks in the log", told(tracebacks), "", at_most=0),
    ]


if __name__ == "__main__":
    main("endurance", drive, 3600)

"""A long session: two pages edit loose, guided and sketched documents; memory, threads, handles and speed stay.

`python -m torture.endurance [--count SECONDS] [--seed SEED]`
"""

import os
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Event, Lock
from typing import Any

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
OTHER = "waving"
"""Opened now and then, so that documents come and go."""
ITERATES, TRIES = 3, 10
GUIDING = GuidanceSettings(terms=[TermWeight("torque", 1.0)], channels=["elbow.rz", "elbow.ry"])


@dataclass(frozen=True)
class Look:
    """The process at a moment."""

    seconds: float
    memory: int
    threads: int
    handles: int


@dataclass
class Tally:
    """What was counted."""

    began: float = field(default_factory=time.monotonic)
    looks: list[Look] = field(default_factory=list)
    steps: list[tuple[float, float]] = field(default_factory=list)
    refused: int = 0
    guided: int = 0
    opened: int = 0
    hands_off: Lock = field(default_factory=Lock)

    @property
    def now(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self.began


def drive(count: int, seed: int) -> list[Figure]:
    """Edit for `count` seconds."""
    with tempfile.TemporaryDirectory(prefix="inbetweener-endurance-") as folder, ExitStack() as stack:
        root = prepared(Path(folder) / "root", loose_arm())
        studio = StudioProcess(root)
        stack.callback(studio.kill)
        tally, over = Tally(), Event()
        with ThreadPoolExecutor(2) as pool:
            pages = [
                pool.submit(_edit, studio, Random(f"{seed} 0"), tally, over, nullcontext(), tally.hands_off),
                pool.submit(_edit, studio, Random(f"{seed} 1"), tally, over, tally.hands_off, None),
            ]
            while tally.now < count and not any(page.done() for page in pages):
                tally.looks.append(_look(studio.number, tally.now))
                over.wait(BETWEEN_LOOKS)
            over.set()
            for page in pages:
                page.result()
        log = (root / "log").read_text()
    return _figures(tally, count, [log] if "Traceback" in log else [])


def _edit(
    studio: StudioProcess,
    random: Random,
    tally: Tally,
    over: Event,
    held: AbstractContextManager[Any],
    opening: AbstractContextManager[Any] | None,
) -> None:
    """One page: mostly small steps; sometimes a run of guidance, another document, or coming anew.

    Every step is taken with `held`. Another document takes what is in hand away, and nobody is told of moves that come
    after it; so documents are opened by one page, with `opening`, while the other has nothing in hand.
    """
    page = studio.join()
    try:
        while not over.is_set():
            chance = random.random()
            if chance < 0.002 and opening is not None:
                with opening:
                    _open(page)
                tally.opened += 1
            elif chance < 0.006:
                page.close()
                page = studio.join()
            else:
                with held:
                    began = tally.now
                    if chance < 0.016:
                        tally.guided += any(_guide(page) for _ in range(TRIES))
                    else:
                        tally.refused += step(random).play(page) is not None
                        tally.steps.append((began, tally.now - began))
            page.notices.clear()
    finally:
        page.close()


def _guide(page: Client) -> bool:
    """Keep the third iterate of a run, or its last; False where the other page has a hand on something."""
    page.latest.pop(Guidance, None)
    try:
        gesture = page.begin(gestures.Guide(GUIDING))
        while (run := page.wait(Guidance)).state == "running" and run.iterate < ITERATES:
            page.latest.pop(Guidance)
        page.ask(to_server.Commit(id=0, gesture=gesture, iterate=run.iterate))
    except Refusal:
        return False
    return True


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
    handles = len(os.listdir(place / "fd"))
    return Look(seconds, pages * os.sysconf("SC_PAGE_SIZE"), len(os.listdir(place / "task")), handles)


def _figures(tally: Tally, count: int, tracebacks: list[str]) -> list[Figure]:
    end = tally.looks[-1].seconds
    warm = [look for look in tally.looks if look.seconds >= WARM_UP * end]
    tenth = max(1, len(warm) // 10)
    first, last = warm[:tenth], warm[-tenth:]
    memory = [float(np.median([look.memory for look in part])) for part in (first, last)]
    quarters = [
        [took for at, took in tally.steps if low * end <= at < high * end]
        for low, high in ((0.25, 0.4375), (0.8125, 2))
    ]
    slow = [1e3 * float(np.percentile(quarter, 95)) for quarter in quarters]
    return [
        Figure("seconds", count, "s"),
        Figure("steps", len(tally.steps), ""),
        Figure("of them refused in words", tally.refused, ""),
        Figure("runs of guidance kept", tally.guided, ""),
        Figure("other documents opened", tally.opened, ""),
        Figure("memory after warming up", memory[0] / (1 << 20), "MiB"),
        Figure("growth of memory from then on", 100 * (memory[1] / memory[0] - 1), "%", at_most=10),
        Figure("threads at the end beyond those after warming up", _more(first, last, "threads"), "", at_most=0),
        Figure("open files at the end beyond those after warming up", _more(first, last, "handles"), "", at_most=0),
        Figure("a step, p95, after warming up", slow[0], "ms"),
        Figure("a step, p95, at the end", slow[1], "ms", at_most=1.5 * slow[0]),
        Figure("tracebacks in the log", told(tracebacks), "", at_most=0),
    ]


def _more(first: list[Look], last: list[Look], what: str) -> int:
    """How many more there are at rest: pages come and go, so the fewest of each part are compared."""
    return min(getattr(look, what) for look in last) - min(getattr(look, what) for look in first)


if __name__ == "__main__":
    main("endurance", drive, 3600)

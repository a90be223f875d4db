"""Eight pages at once on one document: after a burst of edits from each, all of them know the same.

`python -m torture.crowd [--count STEPS] [--seed SEED]`, steps of each page.
"""

import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.harness import Figure, Timing
from inbetweener.studio.protocol import to_page, to_server
from inbetweener.studio.server.client import Client
from tests.studio.documents import arm
from tests.studio.pages import Hearing, Known, differences
from torture.command import main, told
from torture.script import step
from torture.studios import StudioProcess, prepared

PAGES = 8
STILL = 0.3
"""Seconds without a message after which a page is taken to have heard everything."""


class Page(Client):
    """A page that remembers all that it is told."""

    def __init__(self, address: str, headers: dict[str, str]) -> None:
        self.hearing = Hearing()
        super().__init__(address, headers)

    def hear(self, data: str | bytes) -> to_page.AnyMessage | bytes:
        """Apply it, as a page in a browser does."""
        self.hearing.hear(data)
        self.hearing.told.clear()
        return super().hear(data)

    def everything(self) -> Known:
        """All that it knows once it has asked for every frame and there is nothing more to hear."""
        self.ask(to_server.FetchPoses(id=0, first=0, count=4096))
        try:
            while True:
                self.receive(time.monotonic() + STILL)
        except TimeoutError:
            return self.hearing.known


def drive(count: int, seed: int) -> list[Figure]:
    """Let each page take `count` steps."""
    with tempfile.TemporaryDirectory(prefix="inbetweener-crowd-") as folder, ExitStack() as stack:
        root = prepared(Path(folder) / "root", arm())
        studio = StudioProcess(root)
        stack.callback(studio.kill)
        pages = [stack.enter_context(Page(studio.address, studio.headers)) for _ in range(PAGES)]

        def burst(number: int) -> list[tuple[bool, float]]:
            # Who is refused, as where another page has something in hand, does something else.
            random, taken = Random(f"{seed} {number}"), []
            while sum(done for done, _ in taken) < count and len(taken) < 100 * count:
                began = time.perf_counter()
                done = step(random).play(pages[number]) is None
                taken.append((done, time.perf_counter() - began))
            return taken

        with ThreadPoolExecutor(PAGES) as pool:
            steps = [each for page in pool.map(burst, range(PAGES)) for each in page]
            knowledge = list(pool.map(Page.everything, pages))
        fresh = stack.enter_context(Page(studio.address, studio.headers))
        wanted = fresh.everything()
        apart = [
            f"page {number}: {each}" for number, known in enumerate(knowledge) for each in differences(known, wanted)
        ]
        frames = len(wanted.poses)
        studio.kill()
        log = (root / "log").read_text()
    timing = Timing(np.array([seconds for done, seconds in steps if done]))
    assert wanted.history is not None
    return [
        Figure("pages", PAGES, ""),
        Figure("steps", len(timing.seconds), "", at_least=PAGES * count),
        Figure(
            "refused besides, mostly because another page had something in hand", len(steps) - len(timing.seconds), ""
        ),
        Figure("frames compared on each page", frames, "", at_least=10),
        Figure("a step, all its messages, median", 1e3 * timing.median, "ms"),
        Figure("a step, all its messages, p95", 1e3 * timing.p95, "ms"),
        Figure("differences between what pages know", told(apart), "", at_most=0),
        Figure("tracebacks in the log", told([log] if "Traceback" in log else []), "", at_most=0),
    ]


if __name__ == "__main__":
    main("crowd", drive, 100)

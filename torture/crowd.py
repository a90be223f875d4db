"""Eight pages at once on one document: after a burst of edits from each, all of them know the same.

`python -m torture.crowd [--count STEPS] [--seed SEED]`, steps of each page.
"""

import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.harness import Figure, Timing
from inbetweener.studio.protocol import to_page, to_server
from inbetweener.studio.server.client import PATIENCE, Client
from tests.studio.documents import arm
from tests.studio.pages import Hearing, Known, differences
from torture.command import main, told
from torture.script import step
from torture.studios import StudioProcess, prepared

PAGES = 8
A_MOMENT = 0.1
"""Seconds that a page which has done its share reads before it looks whether the others have."""


class Page(Client):
    """A page that remembers all that it is told."""

    def __init__(self, address: str, headers: dict[str, str]) -> None:
        self.hearing = Hearing()
        self.waited: list[float] = []
        super().__init__(address, headers)

    def ask(self, request: to_server.AnyRequest, patience: float = PATIENCE) -> to_page.Done:
        """Send a request and remember how long its answer took, whatever it was."""
        began = time.perf_counter()
        try:
            return super().ask(request, patience)
        finally:
            self.waited.append(time.perf_counter() - began)

    def hear(self, data: str | bytes) -> to_page.AnyMessage | bytes:
        """Apply it, as a page in a browser does."""
        self.hearing.hear(data)
        self.hearing.told.clear()
        return super().hear(data)

    def everything(self, revision: int) -> Known:
        """All that it knows once it has heard of a revision, asked for every frame, and got them."""
        heard, end = self.hearing, time.monotonic() + PATIENCE
        while heard.revision < revision:
            self.receive(end)
        self.ask(to_server.FetchPoses(id=0, first=0, count=4096))
        while heard.known.clip is not None and len(heard.known.poses) < heard.known.clip["frames"]:
            self.receive(end)
        return heard.known


def drive(count: int, seed: int) -> list[Figure]:
    """Let each page take `count` steps."""
    with tempfile.TemporaryDirectory(prefix="inbetweener-crowd-") as folder, ExitStack() as stack:
        root = prepared(Path(folder) / "root", arm())
        studio = StudioProcess(root)
        stack.callback(studio.kill)
        pages = [stack.enter_context(Page(studio.address, studio.headers)) for _ in range(PAGES)]

        finished: list[int] = []

        def burst(number: int) -> list[tuple[bool, float]]:
            # Who is refused, as where another page has something in hand, does something else.
            random, taken = Random(f"{seed} {number}"), []
            while sum(done for done, _ in taken) < count and len(taken) < 100 * count:
                began = time.perf_counter()
                done = step(random).play(pages[number]) is None
                taken.append((done, time.perf_counter() - began))
            finished.append(number)
            while len(finished) < PAGES:
                # A browser reads on.
                with suppress(TimeoutError):
                    pages[number].receive(time.monotonic() + A_MOMENT)
            return taken

        with ThreadPoolExecutor(PAGES) as pool:
            steps = [each for page in pool.map(burst, range(PAGES)) for each in page]
            fresh = stack.enter_context(Page(studio.address, studio.headers))
            last = fresh.hearing.revision
            knowledge = list(pool.map(lambda page: page.everything(last), pages))
        wanted = fresh.everything(last)
        apart = [
            f"page {number}: {each}" for number, known in enumerate(knowledge) for each in differences(known, wanted)
        ]
        frames = len(wanted.poses)
        studio.kill()
        log = (root / "log").read_text()
    asked = Timing(np.array([seconds for page in pages for seconds in page.waited]))
    timing = Timing(np.array([seconds for done, seconds in steps if done]))
    assert wanted.history is not None
    return [
        Figure("pages", PAGES, ""),
        Figure("steps", len(timing.seconds), "", at_least=PAGES * count),
        Figure(
            "refused besides, mostly because another page had something in hand", len(steps) - len(timing.seconds), ""
        ),
        Figure("frames compared on each page", frames, "", at_least=10),
        Figure("until a request is answered, median", 1e3 * asked.median, "ms"),
        Figure("until a request is answered, p95", 1e3 * asked.p95, "ms"),
        Figure("a step, all its messages, median", 1e3 * timing.median, "ms"),
        Figure("a step, all its messages, p95", 1e3 * timing.p95, "ms"),
        Figure("differences between what pages know", told(apart), "", at_most=0),
        Figure("tracebacks in the log", told([log] if "Traceback" in log else []), "", at_most=0),
    ]


if __name__ == "__main__":
    main("crowd", drive, 100)

"""Where time goes: a drag, a guided run, a loose frame and a whole loose shot, split into compiled kernels, the
quadratic program and Python around them.

`python -m benchmarks.breakdown [--json]`. Every compiled entry point is timed by its own clock, so what is left is
Python and numpy. Shares are of the median run; the first runs, which compile and fill caches, do not count.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import daqp
import numpy as np

import inbetweener as ib
from benchmarks.harness import Figure, main
from inbetweener.document import edits
from inbetweener.guidance import Guide, GuideRequest, build
from inbetweener.kernels import Kernel
from inbetweener.kinodynamics import LooseMotion, Looseness, as_a_whole, preset
from inbetweener.tangents import Drag, DragRequest

ROUNDS = 30
PARTS = 4
"""How many of the largest parts are told."""


@contextmanager
def clocked(spent: Counter[str]) -> Iterator[None]:
    """Count the seconds of every kernel, called or bound, and of the quadratic program, by package."""
    call, bound, solve = Kernel.__call__, Kernel.bound, daqp.solve

    def timed(what: str, run: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        began = time.perf_counter()
        try:
            return run(*args, **kwargs)
        finally:
            spent[what] += time.perf_counter() - began

    def package(kernel: Any) -> str:
        return f"{kernel.name.removeprefix('inbetweener.').split('.kernels')[0]} kernels"

    Kernel.__call__ = lambda self, *args, **kwargs: timed(package(self), call, self, *args, **kwargs)  # type: ignore[method-assign]
    Kernel.bound = lambda self, *args: partial(timed, package(self), bound(self, *args))  # type: ignore[method-assign]
    daqp.solve = partial(timed, "quadratic program", solve)
    try:
        yield
    finally:
        Kernel.__call__, Kernel.bound, daqp.solve = call, bound, solve  # type: ignore[method-assign]


SPENT: Counter[str] = Counter()


def broken_down(what: str, run: Callable[[], Any], rounds: int = ROUNDS) -> list[Figure]:
    for _ in range(3):
        run()
    kept = []
    for _ in range(rounds):
        SPENT.clear()
        began = time.perf_counter()
        run()
        kept.append((time.perf_counter() - began, SPENT.copy()))
    whole, spent = sorted(kept, key=lambda each: each[0])[rounds // 2]
    figures = [Figure(what, 1e3 * whole, "ms")]
    figures += [Figure(f"  {part}", 100 * took / whole, "%") for part, took in spent.most_common(PARTS)]
    rest = whole - sum(spent.values())
    # Kernels of several threads overlap: then there is no rest to tell.
    return [*figures, Figure("  Python and numpy", 100 * rest / whole, "%")] if rest > 0 else figures


def measure() -> list[Figure]:
    with clocked(SPENT):
        return [*_drag("flying-robot", "body", 1.5), *_drag("conductor", "palm_l", 0.75), *_guided(), *_loose()]


def _drag(example: str, point: str, at: float) -> list[Figure]:
    document = ib.example(example)
    drag = Drag(document.motion(), DragRequest(document.rig.point(point), at))
    start = document.motion().point_positions([at], [document.rig.point(point)])[0, 0]
    phases = iter(np.linspace(0.0, 60.0, 10_000))
    return broken_down(
        f"{example}: one move of a drag", lambda: drag.to(start + np.array([0.0, 0.05 * np.sin(next(phases)), 0.0]))
    )


def _guided() -> list[Figure]:
    motion = ib.example("waving").motion()
    channels = frozenset(c.name for c in motion.rig.channels if c.name.split(".")[0].endswith("_r"))

    def run() -> None:
        Guide(build(motion, GuideRequest(channels=channels))).finish()

    return broken_down("waving, right arm: a guided run", run, rounds=7)


def _loose() -> list[Figure]:
    boxer = ib.example("boxer")
    clip = boxer.clip()
    loose = edits.set_looseness(boxer, clip.name, Looseness(as_a_whole(boxer.rig, preset("relaxed"))))
    motion = loose.shown_motion()
    assert isinstance(motion, LooseMotion)
    # Another time at every turn, so that nothing is remembered.
    times = iter(np.linspace(0.3, clip.end, 1000))
    scrub = broken_down("boxer, relaxed: one frame scrubbed to", lambda: motion.channels([next(times)]))
    shot = broken_down("boxer, relaxed: all frames", lambda: motion.channels(clip.frame_times), rounds=9)
    found = broken_down(
        "boxer, relaxed: compiling the motion and finding its window",
        lambda: loose.loose_motion(clip.name).windows,
        rounds=9,
    )
    return [*scrub, *shot, *found]


if __name__ == "__main__":
    main("breakdown", measure)

"""Drags that are held back: the grid of [TSO] Table 3 with wishes out of reach, and a diver held by both feet.

`python -m benchmarks.blocked [--json]`

A hand leads the dragged point two metres away in two dozen moves, and then around there in as many more.
Timed, on the processor, are moves that fall short. How near they come is judged beside a search of our own that may
take ten times the steps, and much more work, from the beginning to the last wish: with a solver of one kind for both,
that tells what haste costs, not what is possible. The peer solves the same steps by the plain program of Eq. 10.
"""

import time
from collections.abc import Sequence
from itertools import islice

import numpy as np

from benchmarks.harness import Figure, main
from benchmarks.tangents import PlainDaqp, far_cases
from inbetweener.arrays import Floats
from inbetweener.builtin import example
from inbetweener.document.edits.drag import QUICK
from inbetweener.tangents import Contact, Drag, DragRequest, Settings
from tests.tangents import grid

WAY = 2.0
STEPS = 24
PATIENT = Settings(iterations=400, effort=100_000)
PEER_EVERY = 6
"""The peer drags in one of so many cells: it takes long."""


def wishes(start: Floats, target: Floats) -> list[Floats]:
    """Places farther and farther out of reach, then others as far away."""
    ahead = (target - start) / np.linalg.norm(target - start)
    aside = np.cross(ahead, (0.3, 0.5, 0.8))
    aside /= np.linalg.norm(aside)
    out = [start + WAY * share * ahead for share in np.linspace(1.0 / STEPS, 1.0, STEPS)]
    return [*out, *(out[-1] + 0.5 * np.sin(angle) * aside for angle in np.linspace(0.2, 3.0, STEPS))]


def blocked(drag: Drag, path: Sequence[Floats]) -> list[float]:
    """Seconds of the processor for each move that falls short of its wish."""
    seconds = []
    for wish in path:
        began = time.process_time()
        solution = drag.to(wish)
        taken = time.process_time() - began
        if not solution.reached:
            seconds.append(taken)
    return seconds


def table() -> list[Figure]:
    ours: list[float] = []
    ratios, farther = [], []
    for number, cell in enumerate(grid.cells()):
        for case in islice(far_cases(cell), 1):
            path = wishes(case.start, case.target)
            drag = Drag(case.motion, case.request)
            mine = blocked(drag, path)
            ours += mine
            if not mine:
                continue
            patient = Drag(case.motion, case.request, PATIENT).to(path[-1])
            farther.append(1e3 * (drag.solution.target_error - patient.target_error))
            if number % PEER_EVERY == 0:
                peer = Drag(case.motion, case.request)
                work = peer.solver.workspace
                peer.solver.program = PlainDaqp(peer.problem, work.matrix, work.errors)
                ratios.append(np.median(blocked(peer, path)) / np.median(mine))
    return [
        Figure("moves that fall short", len(ours), ""),
        Figure("grid, geometric mean", 1e3 * float(np.exp(np.mean(np.log(ours)))), "ms", at_most=3),
        Figure("grid, p95", 1e3 * float(np.percentile(ours, 95)), "ms", at_most=10),
        Figure("grid, worst move", 1e3 * max(ours), "ms"),
        Figure("grid, times faster than plain Eq. 10 in daqp", float(np.exp(np.mean(np.log(ratios)))), "×", at_least=2),
        Figure("farther from the last wish than a patient search, median", float(np.median(farther)), "mm", at_most=2),
        Figure("farther from the last wish than a patient search, worst", max(farther), "mm"),
    ]


def diver() -> list[Figure]:
    """A hand led around a circle, most of which both feet do not allow; as the Studio does it."""
    document = example("diver")
    feet = tuple(Contact(document.rig.point(foot), 0.0, 0.6) for foot in ("ball_l", "ball_r"))
    drag = Drag(document.motion(), DragRequest(document.rig.point("palm_l"), 0.4, constraints=feet), QUICK)
    angles = 2.0 * np.pi * np.arange(1, 25) / 24
    circle = 0.3 * np.stack([np.sin(angles), 1.0 - np.cos(angles), 0.0 * angles], axis=1)
    seconds = [taken for _ in range(3) for taken in blocked(drag, list(drag.start_position + circle))]
    return [
        Figure("diver on both feet, median", 1e3 * float(np.median(seconds)), "ms"),
        Figure("diver on both feet, p95", 1e3 * float(np.percentile(seconds, 95)), "ms", at_most=16),
    ]


def measure() -> list[Figure]:
    return [*table(), *diver()]


if __name__ == "__main__":
    main("blocked", measure)

"""Dragging by tangents: the grid of [TSO] Table 3, against the plain program in two solvers; accuracy; long clips.

`python -m benchmarks.tangents [--json]`

Every cell has exactly the stated number of free tangent components (see tests/tangents/grid.py). Its drag goes to a
reachable target in steps of half a centimetre and back. Timed is a complete warm `to()`: linearise, solve, verify on
the evaluated motion. The peers run the same kernels and the same step control, but solve [TSO] Eq. 10 as it stands
there: a dense Hessian JᵀJ, no further variables, no warm start.
"""

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import clarabel
import daqp
import numpy as np
from scipy import sparse

from benchmarks.harness import Figure, main
from inbetweener.curves import Curve, Key, Tangent
from inbetweener.motion import Curves, Motion
from inbetweener.rig import Point
from inbetweener.tangents import Contact, Drag, DragRequest, Pin
from inbetweener.tangents.program import Answer, Program
from tests.tangents import grid
from tests.tangents.grid import Case, Cell

PAPER_MS = {
    "A": ((10, 12, 16, 21), (10, 13, 16, 21), (10, 12, 16, 20)),
    "B": ((52, 54, 57, 63), (59, 68, 81, 101), (63, 103, 144, 200)),
    "C": ((52, 57, 69, 86), (58, 80, 94, 130), (67, 106, 158, 227)),
    "D": ((55, 57, 59, 64), (60, 67, 77, 92), (60, 99, 137, 167)),
    "E": ((53, 59, 63, 68), (63, 80, 91, 113), (65, 103, 144, 187)),
    "F": ((56, 59, 61, 66), (61, 76, 89, 99), (63, 101, 162, 191)),
}
SPEED_SEEDS = range(300, 340)
CASES = 3
ACCURACY_SEEDS = range(100, 106)
STEP = 0.005
STEPS = 12


def measure() -> list[Figure]:
    return [*table(), *accuracy(), *long_clip()]


class PlainDaqp(Program):
    """Eq. 10 with its dense Hessian, in daqp, from scratch every time."""

    def solve(self) -> Answer | None:
        hessian, gradient, rows, lower, upper = self.plain()
        heights = np.concatenate([self.upper[: self.n], upper]), np.concatenate([self.lower[: self.n], lower])
        z, _, flag, info = daqp.solve(hessian, gradient, rows, *heights)
        return self.answer(z, info["lam"]) if flag >= 1 else None

    def plain(self) -> tuple[np.ndarray, ...]:
        """H, g, rows and their bounds; what is held within a slack, then cuts for limits."""
        drawn, first = self.matrix[: self.residuals, : self.n], self.first + self.residuals
        wish = self.lower[self.first : first]
        last = self.first + self.rows + self.cuts
        rows = np.ascontiguousarray(self.matrix[self.residuals : self.rows + self.cuts, : self.n])
        hessian = np.eye(self.n) + self.pull**2 * (drawn.T @ drawn)
        return hessian, -(self.pull**2) * (drawn.T @ wish), rows, self.lower[first:last], self.upper[first:last]

    def answer(self, y: np.ndarray, multipliers: np.ndarray) -> Answer:
        short = self.left + self.lower[self.first : self.first + self.residuals]
        short = short - self.matrix[: self.residuals, : self.n] @ y
        padded = np.zeros(self.first + self.rows + self.cuts)
        padded[: self.n], padded[self.first + self.residuals :] = multipliers[: self.n], multipliers[self.n :]
        return Answer(self.centre + y, float(np.linalg.norm(short)), padded)


class PlainClarabel(PlainDaqp):
    """Eq. 10 in Clarabel, an interior-point solver like the paper's."""

    def solve(self) -> Answer | None:
        hessian, gradient, rows, lower, upper = self.plain()
        # Only widths are bounded in Eq. 10; the radius on heights is ours, and would only add rows here.
        bounded = np.flatnonzero(np.isfinite(self.problem.variables.step) & (self.problem.variables.step < 1e29))
        picked = np.zeros((len(bounded), self.n))
        picked[np.arange(len(bounded)), bounded] = 1.0
        sides = np.concatenate([picked, -picked, rows, -rows])
        bounds = np.concatenate([self.upper[bounded], -self.lower[bounded], upper, -lower])
        sides, bounds = sides[bounds < 1e29], bounds[bounds < 1e29]
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        solver = clarabel.DefaultSolver(
            _columns(np.triu(hessian)),
            gradient,
            _columns(sides),
            bounds,
            [clarabel.NonnegativeConeT(len(bounds))],
            settings,
        )
        solution = solver.solve()
        if str(solution.status) not in ("Solved", "AlmostSolved"):
            return None
        return self.answer(np.array(solution.x), np.zeros(self.n + len(rows)))


def _columns(dense: np.ndarray) -> Any:
    return sparse.csc_matrix(dense)


def table() -> list[Figure]:
    figures, ours, by_clarabel, by_daqp = [], [], [], []
    for cell in grid.cells():
        cases = list(islice(far_cases(cell), CASES))
        if not cases:
            raise SystemExit(f"no reachable target found for {cell}")
        mine, plain, clarabel_s = (np.median(seconds) for seconds in _interleaved_drags(cases))
        ours.append(mine)
        by_daqp.append(plain / mine)
        by_clarabel.append(clarabel_s / mine)
        paper = PAPER_MS[cell.configuration][grid.FRAMES.index(cell.frames)][grid.FREEDOMS.index(cell.dof)]
        name = f"{cell.configuration}, {cell.dof} dof, {cell.frames} frames (paper {paper} ms)"
        figures.append(Figure(name, mine * 1e3, "ms"))
    return [
        *figures,
        Figure("grid, geometric mean of medians", _geometric(ours) * 1e3, "ms", at_most=1),
        Figure("grid, worst cell", max(ours) * 1e3, "ms", at_most=3),
        Figure("grid, times faster than plain Eq. 10 in Clarabel", _geometric(by_clarabel), "×", at_least=8),
        Figure("grid, times faster than plain Eq. 10 in daqp", _geometric(by_daqp), "×", at_least=2),
    ]


def far_cases(cell: Cell) -> Iterator[Case]:
    """Cases whose way is long enough that every step of it is a real one."""
    for seed in SPEED_SEEDS:
        case = grid.case(cell, seed)
        if case is not None and np.linalg.norm(case.target - case.start) > 0.02:
            yield case


def _interleaved_drags(cases: list[Case]) -> list[list[float]]:
    """Seconds of every `to()` of the same drags: ours, plain daqp, plain Clarabel."""
    seconds: list[list[float]] = [[], [], []]
    for case in cases:
        drags = [Drag(case.motion, case.request) for _ in range(3)]
        for drag, program in zip(drags, (None, PlainDaqp, PlainClarabel), strict=True):
            if program is not None:
                work = drag.solver.workspace
                drag.solver.program = program(drag.problem, work.matrix, work.errors)
        way = case.target - case.start
        far = float(np.linalg.norm(way))
        steps = [min(STEP, far / STEPS) * (i + 1) for i in range(STEPS)]
        for warm in (True, False):
            for distance in [*steps, *steps[-2::-1], 0.0]:
                for drag, taken in zip(drags, seconds, strict=True):
                    started = time.perf_counter()
                    drag.to(case.start + way * (distance / far))
                    if not warm:
                        taken.append(time.perf_counter() - started)
    return seconds


def accuracy() -> list[Figure]:
    figures = []
    for segments, what in ((1, "between two keys"), (3, "with tied neighbours")):
        verdicts = []
        for cell in grid.cells():
            for seed in ACCURACY_SEEDS if segments == 1 else ACCURACY_SEEDS[:2]:
                if case := grid.case(cell, seed, segments):
                    drag = Drag(case.motion, case.request)
                    verdicts.append(grid.judge(case, drag.to(case.target)))
        good = 100.0 * sum(v.good for v in verdicts) / len(verdicts)
        figures += [
            Figure(f"reachable targets {what}", len(verdicts), "", at_least=300 if segments == 1 else None),
            Figure(f"reached with constraints held, {what}", good, "%", at_least=98),
            Figure(f"worst constraint at frames, {what}", max(v.at_frames for v in verdicts), "heights", at_most=1e-4),
            Figure(f"worst between frames, {what}", max(v.between_frames for v in verdicts), "heights", at_most=5e-4),
        ]
    return figures


def long_clip() -> list[Figure]:
    """The same drag in the middle of clips of 100 and of 100,000 frames."""
    drags, begun = [], []
    for frames in (100, 100_000):
        motion = _walk(frames)
        middle = 7 * (frames // 14) / 24.0 + 0.1
        pins = (Pin(Point("hand2", grid.OFFSET)), Contact(Point("foot", grid.OFFSET), 0.0, frames / 24.0))
        request = DragRequest(Point("hand", (0.05, 0.0, 0.0)), middle, constraints=pins)
        Drag(motion, request)
        seconds = []
        for _ in range(5):
            started = time.perf_counter()
            drag = Drag(motion, request)
            seconds.append(time.perf_counter() - started)
        begun.append(float(np.median(seconds)))
        drags.append(drag)
    taken = np.empty((2, 200))
    for i in range(taken.shape[1]):
        for n, drag in enumerate(drags):
            target = drag.start_position + np.array([0.0, 0.02, 0.01]) * np.sin(0.15 * i)
            started = time.perf_counter()
            drag.to(target)
            taken[n, i] = time.perf_counter() - started
    short, long = np.median(taken, axis=1)
    return [
        Figure("to() in a clip of 100 frames", short * 1e3, "ms"),
        Figure("to() in a clip of 100,000 frames", long * 1e3, "ms"),
        Figure("long clip, times slower", long / short, "×", at_most=1.2),
        Figure("beginning a drag in 100 frames", begun[0] * 1e3, "ms"),
        Figure("beginning a drag in 100,000 frames", begun[1] * 1e3, "ms"),
    ]


def _walk(frames: int) -> Motion:
    """The same two poses again and again, seven frames apart, tangents tied."""
    pair = grid.motion_of(Cell("E", 120, 7), seed=1)
    curves = {}
    for name, curve in pair.clip.curves.items():
        slope = 0.0 if curve.values[0] == curve.values[1] else 0.02
        keys = [
            Key(7 * k / 24.0, float(curve.values[k % 2]), Tangent(0.1, slope), Tangent(0.1, slope))
            for k in range(frames // 7 + 1)
        ]
        curves[name] = Curve.from_keys(keys)
    return Motion(pair.rig, replace(pair.clip, end=frames / 24.0, curves=Curves(curves)))


def _geometric(values: list[float]) -> float:
    return float(np.exp(np.mean(np.log(values))))


if __name__ == "__main__":
    main("tangents", measure)

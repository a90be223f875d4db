"""The coupled solver: the corrections of all targets together, by quasi-Newton steps on simulated windows.

Unknown are the coefficients of all corrections. Each target starts with as many ways to correct as it asks for numbers:
the damped pseudoinverse of its place's Jacobian, frozen at the loose pose. How these move all targets is found once, by
differences, in one batch of windows, and then learnt from the steps themselves (Broyden); it is measured anew where a
step gains less than it should. Where targets stay out of reach that way, every channel that may give way becomes
unknown by itself. Steps that lead away are damped and shortened.

Whole poses, with their many unknowns, begin with steps as published, which need no derivatives; and so does a second
try from the start, where the first is stuck. What limits keep from a pose is wound up before it, as far as that pays.
Only to come off stops does a run pass through worse points; the best is kept, so that no solution is worse than the
motion as it was. Once all is hit, what was stopped is led along after it (`settling`).

The loop is its own, not `maths.search`: where steps are judged by simulation, several that are damped differently cost
little more than one when they are tried in one batch, derivatives are learnt from what steps did, lost ones too, and a
step off a stop may pay only later.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import chain

import numpy as np

from inbetweener.arrays import Floats, stacked_offsets
from inbetweener.dynamics.forward import Unstable
from inbetweener.kinodynamics.loose_motion import LooseMotion
from inbetweener.kinodynamics.problem import Targets, named
from inbetweener.kinodynamics.residuals import HoldAsk, PoseAsk
from inbetweener.kinodynamics.run import TOLERANCE, Point, Run
from inbetweener.kinodynamics.settling import Settling
from inbetweener.kinodynamics.soft.hitting import has_soft, solve_soft
from inbetweener.kinodynamics.solution import Progress, Solution
from inbetweener.kinodynamics.target import Target
from inbetweener.kinodynamics.trials import Trials
from inbetweener.kinodynamics.ways import Ways
from inbetweener.kinodynamics.within_limits import Limits
from inbetweener.maths.search import go_on
from inbetweener.maths.steps import damped_step

MOST = 6000
"""Windows that a run simulates at most, about."""

SHARE, LEAST, LARGEST = 0.1, 1e-6, 2e-3
"""A way to correct is tried by this share of the error, between so many metres, to see what it does: by more while
targets are far off, so that stops on the way are seen too."""

CONTRACTION = 0.3
"""A step that leaves more of the error than this has the derivatives measured anew."""

NARROW, WIDE = 0.8, 0.99
"""Where two steps in a row each leave more than this of the error, there is little to gain along the first few ways to
correct, or along all of them."""

PROJECTED = 0.95
"""The same for steps as published."""

PATIENCE = 2
"""Steps in a row that gain little, after which a run turns to something else."""

DEAD = 0.02
"""A channel of a pose that answers with less than this share of its correction stands at a stop, for the time being."""

PUSHED = 0.1
"""What such a channel is taken to answer with, so that it comes off its stop after a few steps."""

LOCKED, ASIDE = 0.5, 0.6
"""The cosine of a middle angle below which the others are nearly locked, and how far that angle is led off, radians."""

MANY = 40
"""Unknowns for which derivatives cost more than they are worth while targets are far off."""

LESSONS = 2
"""How often in a row a step that leads away is learnt from."""

LEAPS, PUSHES = 3, (0.005, 0.01, 0.02, 0.04, 0.08, 0.16)
"""How often channels are pushed off their stops, and how far: metres, or as much of a lever's turn."""

DAMPINGS, SHORTER = (0.1, 0.3, 1.0), (0.5, 0.2)
"""Where the whole step leads away, these are tried together: damped by shares of the strongest derivative, which turns
them downhill, and shorter."""

WEAK = 0.01
"""Ways to correct without what is at its limits are none where they do less than this share of what they did."""

SMOOTH = 1e-3
"""The least damping of steps where something holds over a stretch, as a share of the strongest derivative."""

GENTLY, GENTLE = 0.03, 0.9
"""The same where poses come around their limits by what is wound up before, and what a step may leave there of the
error: the little that is left could only be had by wild swings."""

ROUNDS = 3
"""How often a run goes on because corrections changed the length of windows."""


class Solver(Run):
    """A run: iterate over it to go on, stop whenever you like; `solution` is what it has come to so far."""

    def __init__(
        self,
        motion: LooseMotion,
        targets: Targets,
        *,
        tolerance: float = TOLERANCE,
        most: int = MOST,
        start: Solution | None = None,
        settles: bool = True,
    ) -> None:
        """With `start`, corrections that targets of the same names had are begun with, as after moving one a little.

        Unless it `settles`, what targets have stopped is left to its springs.
        """
        super().__init__(motion, targets, tolerance=tolerance)
        self._holds = any(isinstance(ask, HoldAsk) for ask in self.problem.asks)
        self.most = most * max((len(ask.times) for ask in self.problem.asks), default=1) if self._holds else most
        # Of the many bends along a stretch some do next to nothing: they are left alone.
        self._damping = SMOOTH if self._holds else 0.0
        self._limits = Limits(self.problem)
        self._settles, self._settling = settles, Settling(self.problem)
        self._poses = any(isinstance(ask, PoseAsk) for ask in self.problem.asks)
        self._full: frozenset[int] = frozenset()
        self._begin(start)

    def __iter__(self) -> Iterator[Progress]:
        for number in range(ROUNDS):
            yield from self._steps()
            if self._settles and number == 0 and self._best.error <= self.tolerance:
                yield from self._settle()
            if not self._lengths_changed():
                break
        if self._best.error <= self.tolerance:
            self.ending = "reached"

    def _steps(self) -> Iterator[Progress]:
        """Along few ways to correct, then along all; from the start again by another way, if that is not enough, and
        from beside it where angles are locked there.
        """
        again = () if self._holds else chain([self._before], self._beside())
        for number, start in enumerate(chain([None], again)):
            self._damping = SMOOTH if self._holds else 0.0
            if self.error <= self.tolerance or self._trials.windows >= self.most:
                return
            if number and self._poses and self._full:
                break  # limits are in the way, wherever one begins
            if start is not None:
                self._point = start
            if not self._holds and (number == 1 or len(self._narrow().targets) > MANY):
                yield from self._project()
            for ways, enough in ((self._narrow, NARROW), (self._wide, NARROW if self._holds else WIDE)):
                if ways == self._wide and self._poses and self._full:
                    self._damping, enough = GENTLY, GENTLE
                if self.error > self.tolerance:
                    try:
                        yield from self._descend(ways, enough)
                    except Unstable:
                        # So wild is what it has come to that no derivative can be had there: on by another way.
                        continue
        if self.error > self.tolerance and self._trials.windows < self.most:
            self.ending = "stuck"

    def _settle(self) -> Iterator[Progress]:
        """What was stopped is led along afterwards; other targets, which that may disturb, are hit anew."""
        hit = self._best
        there, windows, batches = self._settling.settled(hit.coefficients, self._limits)
        self._trials.windows, self._trials.batches = self._trials.windows + windows, self._trials.batches + batches
        if there is hit.coefficients:
            return
        try:
            self._best = self._point = self._at(there[None])[0]
            yield self._look()
            yield from self._descend(self._narrow, NARROW)
        except Unstable:
            self._best = hit
        if self._best.error > self.tolerance:
            self._best = self._point = hit

    def _beside(self) -> Iterator[Point]:
        """Points to begin with where joints that turn all ways are nearly locked: their middle angles led off that, to
        the nearer side first.

        A rotation does not lock, but corrections are made of angles, and there no small one moves it one way.
        """
        loosened, rig = self.problem.motion.loosened, self.problem.motion.rig
        channels = dict(zip(loosened.swinging.dofs.tolist(), loosened.swinging.channels.tolist(), strict=True))
        factors = dict(zip(loosened.swinging.dofs.tolist(), loosened.swinging.factors.tolist(), strict=True))
        beside = np.zeros_like(self._before.coefficients)
        for k, (target, ask) in enumerate(zip(self.problem.targets, self.problem.asks, strict=True)):
            turns = rig.linear_map.dofs(self.problem.motion.tight.channels([target.time]))[0]
            for dof in (9 * j + 3 + int(rig.keyed.skeleton.orders[j][1]) for j in loosened.balls):
                if channels[dof] in ask.gives and abs(np.cos(turns[dof])) < LOCKED:
                    beside[k, 0, channels[dof]] = -np.copysign(ASIDE, np.sin(2 * turns[dof])) / factors[dof]
        for led in (beside, -beside) if beside.any() else ():
            try:
                yield self._at(self._limits.shortened(self._before.coefficients, led)[None])[0]
            except Unstable:
                continue

    def _project(self) -> Iterator[Progress]:
        """Steps as published: all that is missing is tried, then scaled to fit what that did, target by target or
        number by number.

        For whole poses, with their many unknowns, that is far cheaper than derivatives, until they are near.
        """
        slow = 0
        while self.error > self.tolerance and self._trials.windows < self.most and slow < PATIENCE:
            here, ways = self._point, self._narrow()
            # Each way puts one residual right, if nothing swings.
            step = ways.bounded(np.concatenate(here.parts))
            tried = self._at_step(ways, step)
            if tried is None:
                return
            projected, apart = step.copy(), step.copy()
            for k, (missing, left) in enumerate(zip(here.parts, tried.parts, strict=True)):
                own, change = ways.targets == k, missing - left
                projected[own] *= float(missing @ change) / max(float(change @ change), 1e-300)
                # Number by number: what hardly moved, as it stands at a stop, is pushed the more.
                apart[own] /= np.clip(change / np.where(missing == 0.0, 1.0, missing), PUSHED, 2.0)
            there = self._best_of(ways, np.array([ways.bounded(projected), ways.bounded(apart)]))
            if there is None:
                there = tried if tried.size < here.size else None
            if there is None:
                return
            self._point = there
            yield self._look()
            slow = slow + 1 if there.size > PROJECTED * here.size else 0

    def _descend(self, make: Callable[[], Ways], enough: float) -> Iterator[Progress]:
        """Steps along some ways to correct, until targets are hit or nothing is gained any more."""
        slow, leaps = 0, LEAPS
        (ways, J), measured = self._measured(make), self._point
        while self.error > self.tolerance and self._trials.windows < self.most and slow < PATIENCE:
            here, kept = self._point, J.copy()
            there = self._learn(ways, J)
            if there is None:
                if measured is not here:
                    ways, kept = self._measured(make)
                J, measured = kept, here
                there = self._best_of(ways, self._gentle_steps(ways, J))
            if there is None or (there.size > enough * here.size and slow + 1 >= PATIENCE):
                there, leaps = self._leap(ways) if leaps else None, leaps - 1
                if there is None:
                    return
            self._point = there
            yield self._look()
            share = there.size / here.size
            slow = slow + 1 if share > enough else 0
            # At limits steps gain little, however well they are known.
            if share > CONTRACTION and self.error > self.tolerance and not (self._poses and self._full):
                (ways, J), measured = self._measured(make), self._point

    def _measured(self, make: Callable[[], Ways]) -> tuple[Ways, Floats]:
        """Ways to correct, and what they do; few of them are found anew without what they would lead beyond limits.

        Along a stretch, whose ways are many, steps come around limits by themselves.
        """
        before = None
        while make == self._narrow and not self._holds:
            # What would leave its limits if nothing swung is known without any simulation.
            ways = make()
            step = ways.bounded(np.concatenate(self._point.parts))
            leaving = self._limits.leaving(ways, step, self._point.coefficients)
            if self._full.issuperset(leaving):
                break
            self._full = self._full.union(leaving)
        while True:
            ways = make()
            J = self._differences(ways)
            if before is not None and np.abs(J).max(initial=0.0) < WEAK * np.abs(before[1]).max(initial=0.0):
                return before  # nothing that matters is left
            before = ways, J
            step = ways.bounded(damped_step(J, self._point.residual, self._damping))
            leaving = self._limits.leaving(ways, step, self._point.coefficients)
            if self._holds or not (make == self._narrow or self._poses) or self._full.issuperset(leaving):
                return ways, J
            self._full = self._full.union(leaving)

    def _learn(self, ways: Ways, J: Floats) -> Point | None:
        """The point a whole step leads to; J learns from it, and where it leads away, is asked again a few times.

        At a stop, what is true on one side is not on the other: a step across it, though lost, tells of both.
        """
        here = self._point
        for _ in range(LESSONS):
            go_on()
            step = ways.bounded(self._limits.step(ways, J, here.residual, self._damping, here.coefficients))
            there = self._at_step(ways, step)
            if there is None:
                return None
            J += np.outer(there.residual - here.residual - J @ step, step) / max(float(step @ step), 1e-300)
            if there.size < here.size:
                return there
        return None

    def _gentle_steps(self, ways: Ways, J: Floats) -> Floats:
        """Damped and shortened steps (V, n)."""
        residual, here = self._point.residual, self._point.coefficients
        whole, *damped = (self._limits.step(ways, J, residual, damping, here) for damping in (self._damping, *DAMPINGS))
        return np.array([ways.bounded(step) for step in (*damped, *(share * whole for share in SHORTER))])

    def _at_step(self, ways: Ways, step: Floats) -> Point | None:
        """Where a step (n,) leads; None where the simulation blows up there."""
        try:
            return self._at(self._stepped(ways, step[None]))[0]
        except Unstable:
            return None

    def _best_of(self, ways: Ways, steps: Floats) -> Point | None:
        """Where the best of steps (V, n) leads, tried in one batch; None where none of them makes errors smaller."""
        here = self._point
        try:
            tried = self._at(self._stepped(ways, steps))
        except Unstable:
            return None
        best = min(tried, key=lambda point: point.size)
        return best if best.size < here.size else None

    def _stepped(self, ways: Ways, steps: Floats) -> Floats:
        """The coefficients (V, K, B, C) that steps (V, n) lead to; what would leave its limits ends on them."""
        here = self._point.coefficients
        return np.stack([self._limits.shortened(here, there) for there in here + ways.coefficients(steps, here.shape)])

    def _differences(self, ways: "Ways") -> Floats:
        """(m, n): how all residuals move with every way to correct, from one batch of windows."""
        here = self._point
        size = float(np.clip(SHARE * here.error, LEAST, LARGEST))
        steps = size * np.eye(len(ways.targets))
        changed = here.coefficients + ways.coefficients(steps, here.coefficients.shape)
        moved, base, from_here = self.problem.parts * ways.targets + ways.kinds, here.states, here.residual
        if self._holds:
            base = self._trials.states(here.coefficients[None], here.states, at_once=True)[0]
            from_here = self._weighed(self._trials.residuals(base[None]))[0]
        states = self._trials.states(changed, base, moved, at_once=self._holds)
        residuals = self._weighed(self._trials.residuals(states))
        J = np.asarray((residuals - from_here).T / size, np.float64)
        self._enliven(J, ways)
        return J

    def _enliven(self, J: Floats, ways: Ways) -> None:
        """Posed channels that stand at a stop answer to nothing: they are taken to answer a little, and remembered."""
        starts = stacked_offsets(len(part) for part in self._point.parts)
        self._dead = np.full(len(ways.targets), -1)
        for k, ask in enumerate(self.problem.asks):
            if isinstance(ask, PoseAsk):
                # Values and slopes come before bumps, as they do among what is missing.
                own = np.flatnonzero(ways.targets == k)[: len(self._point.parts[k])]
                rows = starts[k] + np.arange(len(own))
                dead = np.abs(J[rows, own]) < DEAD * self._weights[k]
                J[rows[dead], own[dead]] = -PUSHED * self._weights[k]
                self._dead[own[dead]] = rows[dead]

    def _leap(self, ways: Ways) -> Point | None:
        """Off the stops at any price: every posed channel at a stop is pushed until it answers, as little as will do.

        Where that leads, errors may be larger, but they answer to steps again. None where nothing is to be gained.
        """
        here, own = self._point, np.flatnonzero(self._dead >= 0)
        rows = self._dead[own]
        if not np.abs(here.residual[rows]).max(initial=0.0) > self.tolerance / len(here.residual):
            return None
        steps = np.zeros((len(PUSHES), len(ways.targets)))
        steps[:, own] = np.array(PUSHES)[:, None] * np.sign(here.residual[rows])
        try:
            tried = self._at(self._stepped(ways, steps))
        except Unstable:
            return None
        moved = np.array([np.abs(point.residual[rows] - here.residual[rows]) > self.tolerance for point in tried])
        first = np.where(moved.any(axis=0), moved.argmax(axis=0), len(PUSHES) - 1)
        together = np.zeros(len(ways.targets))
        together[own] = steps[first, own]
        return self._at_step(ways, together)

    def _begin(self, start: Solution | None) -> None:
        """Take over earlier corrections where they bring targets nearer."""
        if start is None:
            return
        earlier = {outcome.name: outcome.coefficients for outcome in start.outcomes}
        coefficients = np.zeros_like(self._before.coefficients)
        for k, name in enumerate(self.problem.names):
            own = earlier.get(name)
            if own is not None and len(own) == len(self.problem.shapes[k].parts):
                coefficients[k, : len(own)] = own
        try:
            begun = self._at(self._limits.shortened(self._before.coefficients, coefficients)[None])[0]
        except Unstable:
            return
        if begun.size < self._before.size:
            self._point = begun
            self._look()

    def solution(self) -> Solution:
        """The best that was reached so far; of targets that are missed, with the limits that keep them from more."""
        found = super().solution()
        if found.reached or not len(self._limits.channels):
            return found
        self._point = self._best
        ways, names = self._wide(), self.problem.motion.rig.channels
        try:
            J = self._differences(ways)
        except Unstable:
            return found
        here = self._best
        blocking = self._limits.blocking(ways, J, here.residual, here.coefficients)
        outcomes = (
            each if each.reached else replace(each, blocked=tuple(names[c].name for c in blocking.get(k, ())))
            for k, each in enumerate(found.outcomes)
        )
        return replace(found, outcomes=tuple(outcomes))

    def _lengths_changed(self) -> bool:
        """Whether windows have another length in the corrected motion; the run then goes on with those."""
        if isinstance(self.problem.motion.loosened.looseness.window, (int, float)):
            return False
        trials = Trials(self.problem, self._corrected())
        if trials.lengths == self._trials.lengths:
            return False
        trials.windows, trials.batches = self._trials.windows, self._trials.batches
        self._trials = trials
        self._before, self._best = self._at(np.stack([self._before.coefficients, self._best.coefficients]))
        self._point = self._best
        return True

    def _narrow(self) -> Ways:
        states = self._point.states
        return Ways.of([ask.directions(states[k], self._full) for k, ask in enumerate(self.problem.asks)])

    def _wide(self) -> Ways:
        return Ways.of([ask.all_directions(self._full) for ask in self.problem.asks])


def solve(
    motion: LooseMotion,
    targets: Targets,
    *,
    tolerance: float = TOLERANCE,
    most: int = MOST,
    start: Solution | None = None,
    watch: Callable[[Solver], object] | None = None,
) -> Solution:
    """Corrections with which a loose motion hits its targets; where it cannot, with which it comes nearest.

    `watch` is shown the run after every step; what it raises ends it.
    """
    by_name = named(targets)

    def run(rigid: Mapping[str, Target], start: Solution | None) -> Solution:
        solver = Solver(
            motion, rigid, tolerance=TOLERANCE if soft else tolerance, most=most, start=start, settles=not soft
        )
        for _ in solver:
            if watch is not None:
                watch(solver)
        return solver.solution()

    # What is on soft parts is solved for as if fixed to the body, over and over.
    if soft := has_soft(by_name):
        return solve_soft(motion, by_name, run, tolerance, start)
    return run(by_name, start)

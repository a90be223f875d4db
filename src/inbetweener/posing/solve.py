"""Pull points to their targets, pins held and limits kept, judged on the evaluated pose."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from inbetweener.arrays import Floats, frozen
from inbetweener.maths.blocker import Blocker, ranked
from inbetweener.maths.search import Search, Stepped, restored
from inbetweener.posing.elsewhere import nudged, other_poses
from inbetweener.posing.problem import Problem
from inbetweener.posing.program import Answer, Program
from inbetweener.posing.solution import Solution
from inbetweener.posing.state import State
from inbetweener.posing.workspace import Workspace

DAMPING, TOUGHEST = 0.1, 1e4
"""Damping relative to the pull and to how far things are off: to begin with, and where the search gives up. It fades as
the target comes near, so the last steps are Newton's."""

BOLD = 1e-4
"""Damping to begin with in a search from a nudged pose: other steps, so that it does not end in the same corner."""

INERTIA = 3.0
"""λ that all steps have: on curved ground a full step to the least change would overshoot and swing."""

NEAR = 0.05
"""Heights within which a search begins without damping."""

FINE = 4.0
"""What a pin's error costs, against the same error of a pulled point."""

MEMORY = 3
"""A step pays if it is better than the worst of so many before: pins may be off for a moment."""

PATIENCE, IDLE = 4, 8e-3
"""So many steps that together gain less than this share end the search."""

WORTHWHILE = 0.95
"""Settling goes on while a step promises to shrink the squared change by this factor."""

CLEARLY = 0.01
"""A search from elsewhere must end nearer by this share, so that a pose does not flicker between equals."""

BALANCE = 10.0
"""Damping under which the final pull is balanced to see who resists: so strong that only what is near counts."""


@dataclass(slots=True, eq=False)
class Pose:
    """A pose z (n,).

    off     how far things are off, the worst pull and the worst pin
    beyond  how far the worst pin is beyond its tolerance
    cost    how far pulls are off together
    merit   the cost, and a fine for pins beyond their tolerance
    done    whether all pulls and pins are where they should be
    """

    z: Floats
    off: float
    beyond: float
    cost: float
    merit: float
    done: bool


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The best acceptable pose of a search, and its cost, infinite where there is none."""

    z: Floats
    cost: float
    reached: bool

    def or_nearer(self, other: "Found", by: float = 0.0) -> "Found":
        """The other one where it is nearer by this share."""
        return other if other.cost < (1.0 - by) * self.cost else self


class Solver:
    """Keeps what consecutive solves of one gesture share: arrays and the working set."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.workspace = Workspace(problem)
        self.program = Program(problem, self.workspace.errors, self.workspace.derivatives)
        self._programs = 0

    def solve(self, targets: Sequence[State], start: Floats | None = None) -> Solution:
        """From an acceptable pose `start` towards targets; the answer is never worse than `start` or the beginning."""
        self.workspace.aim(targets)
        self._programs = 0
        beginning = self._judged(np.zeros(self.program.n))
        if start is None or not start.any() or beginning.done:
            # Back where the gesture began, nothing has to change.
            search = self._searched(beginning.z)
        else:
            search = self._searched(start)
            if beginning.cost < search.cost and not search.reached:
                # The way here led into a corner: the pose before the gesture is nearer.
                search = search.or_nearer(self._searched(beginning.z))
        if not search.reached:
            search = search.or_nearer(self._search(nudged(self.program, search.z), BOLD), by=CLEARLY)
        return self._solution(self._settled(search), tuple(targets))

    def _searched(self, start: Floats) -> Found:
        """Small moves of a drag go straight to the least change; long ones would overshoot that way."""
        self.workspace.evaluate(start)
        return self._search(start, 0.0 if self.workspace.farthest < NEAR else DAMPING)

    def solve_anew(self, targets: Sequence[State], start: Floats | None = None) -> Solution:
        """As `solve`; a target that is missed is tried again from other poses within the limits."""
        solution = self.solve(targets, start)
        if solution.reached:
            return solution
        search = Found(solution.z, self._judged(solution.z).cost, False)
        for elsewhere in other_poses(self.program, self.problem.settings.retries):
            search = search.or_nearer(self._search(elsewhere), by=CLEARLY)
            if search.reached:
                break
        return self._solution(self._settled(search), solution.targets)

    def _search(self, start: Floats, softest: float = DAMPING) -> Found:
        """The best pose found from `start`, by steps damped by how far things are still off."""
        settings = self.problem.settings
        search = Search(
            self._judged(start), self._stepped, softest,
            least=softest, shy=DAMPING, hopeless=TOUGHEST, memory=MEMORY, most=settings.iterations,
        )  # fmt: skip
        passed, places = [search.now], search.settling(PATIENCE, IDLE)
        while not search.now.done and (place := next(places, None)) is not None:
            passed.append(place)
        passed.append(restored(search.now, self._brought_back, lambda pose: pose.beyond, 0.0))
        best = min((pose for pose in passed if pose.beyond == 0.0), key=lambda pose: pose.cost, default=None)
        return Found(start, math.inf, False) if best is None else Found(best.z, best.cost, best.done)

    def _judged(self, z: Floats) -> Pose:
        """What a pose is worth, evaluated."""
        work = self.workspace
        work.evaluate(z)
        off, beyond, cost = work.pulled_error, work.beyond, work.cost
        done = off <= self.problem.settings.reached and beyond == 0.0
        return Pose(z, off + work.pinned_error, beyond, cost, cost + FINE * beyond, done)

    def _stepped(self, now: Pose, damping: float) -> Stepped[Pose] | None:
        """One program around a pose; on curved ground no full step to the least change, which would swing."""
        settings = self.problem.settings
        damping = max(damping * now.off, INERTIA / settings.pull)
        answer = self._step(now.z, settings.stride, damping)
        return None if answer is None else Stepped(self._judged(answer.z))

    def _brought_back(self, now: Pose) -> Pose | None:
        """Pins brought back, and the pulled states left where they are, as nearly as that goes."""
        answer = self._step(now.z, 0.0, 0.0)
        return None if answer is None else self._judged(answer.z)

    def _settled(self, search: Found) -> Found:
        """From a pose that reaches all targets to one that does so with less change, so that the way does not count.

        Goes on with the same programs, now judged by the change ½‖z‖² plus a fine for what is off, which must be
        dearer than the multipliers; only poses that keep everything are taken.
        """
        if not (search.reached and search.z.any()):
            return search
        settings, work, program = self.problem.settings, self.workspace, self.program
        z = best = search.z
        change = least = float(z @ z)
        off = 0.0
        for _ in range(settings.settling):
            answer = self._step(z, settings.stride, 1.0 / settings.pull)
            if answer is None:
                break
            promised = float(answer.z @ answer.z)
            if off == 0.0 and promised > WORTHWHILE * change:
                break
            fine = 2.0 * program.resistance(answer)
            place = self._judged(answer.z)
            now = max(0.0, work.pulled_error - settings.reached) + place.beyond
            if promised + fine * now > change + fine * off:
                break
            z, change, off = answer.z, promised, now
            if place.done and change < least:
                best, least = z, change
        return replace(search, z=best)

    def _step(self, z: Floats, stride: float, damping: float) -> Answer | None:
        """One program around z, solved."""
        work, program = self.workspace, self.program
        self._programs += 1
        work.evaluate(z)
        advance = 1.0 if work.farthest <= stride else stride / work.farthest
        # Mostly strict; where the rows contradict each other, "no worse than now" is always possible.
        for leniency in (0.0, 0.5, 1.0):
            program.linearise(z, advance, leniency, damping)
            answer = program.solve()
            if answer is not None:
                return answer
        return None

    def _solution(self, search: Found, targets: tuple[State, ...]) -> Solution:
        problem, work, pulls = self.problem, self.workspace, len(targets)
        reached, programs = self._judged(search.z).done, self._programs
        return Solution(
            problem,
            search.z,
            targets,
            frozen(work.positions[:pulls].copy()),
            frozen(work.turns[:pulls].copy()),
            work.lengths[:pulls, 0] * problem.height,
            work.lengths[:pulls, 1].copy(),
            work.pinned_error,
            programs,
            reached,
            () if reached else self._blockers(search.z),
        )

    def _blockers(self, z: Floats) -> tuple[Blocker, ...]:
        """Whose rows and bounds push back where the pull is balanced, by the size of their push on the channels."""
        problem, program, work = self.problem, self.program, self.workspace
        answer = self._step(z, math.inf, BALANCE)
        if answer is None:
            return ()
        push: dict[str, float] = {}
        rows = answer.multipliers[program.n + program.residuals :]
        for i, pin in enumerate(problem.pins, start=len(problem.request.pulls)):
            own = problem.watched.owners == i
            force = float(np.linalg.norm(work.derivatives[own].T @ rows[own]))
            push[pin.name] = push.get(pin.name, 0.0) + force
        for variable in np.flatnonzero(answer.multipliers[: program.n]):
            above = answer.multipliers[variable] > 0.0
            limit = (program.highest if above else program.lowest)[variable]
            if abs(answer.z[variable] - limit) <= 1e-6:
                which = "upper" if above else "lower"
                name = f"{which} limit of {problem.names[variable]}"
                push[name] = abs(float(answer.multipliers[variable]))
        return ranked(push, least=0.02)


def solve(problem: Problem, *targets: State) -> Solution:
    """Solve once, one target for each pull, from the pose before the gesture.

    Limits make corners in which a search ends although the target can be reached from elsewhere, so a target that is
    missed is tried again from other poses within the limits, `settings.retries` times; the nearest answer counts. A
    drag does not do this: a pose that jumps under the pointer is worse than one that stops.
    """
    return Solver(problem).solve_anew(targets)

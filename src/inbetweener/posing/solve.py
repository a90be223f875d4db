"""Pull points to their targets, pins held and limits kept, judged on the evaluated pose."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from inbetweener.arrays import Floats, frozen
from inbetweener.maths.blocker import Blocker, ranked
from inbetweener.posing.elsewhere import nudged, other_poses
from inbetweener.posing.problem import Problem
from inbetweener.posing.program import Answer, Program
from inbetweener.posing.solution import Solution
from inbetweener.posing.state import State
from inbetweener.posing.workspace import Workspace

DAMPING, TOUGHEN, SOFTEN, TOUGHEST = 0.1, 6.0, 0.5, 1e4
"""Damping relative to the pull and to how far things are off: to begin with, its change when a step does not pay or
does, and where the search gives up. It fades as the target comes near, so the last steps are Newton's."""

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

IDLE, PATIENCE = 2e-3, 4
"""So many steps in a row that gain less than this share end the search."""

WORTHWHILE = 0.95
"""Settling goes on while a step promises to shrink the squared change by this factor."""

RESTORING = 8
"""How many steps may be spent on bringing pins back."""

CLEARLY = 0.01
"""A search from elsewhere must end nearer by this share, so that a pose does not flicker between equals."""

BALANCE = 10.0
"""Damping under which the final pull is balanced to see who resists: so strong that only what is near counts."""


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """The best acceptable pose of a search, its cost (infinite where there is none), and the programs it took."""

    z: Floats
    cost: float
    iterations: int
    reached: bool

    def or_nearer(self, other: "Search", by: float = 0.0) -> "Search":
        """The other one where it is nearer by this share, with the programs of both counted."""
        better = other if other.cost < (1.0 - by) * self.cost else self
        return replace(better, iterations=self.iterations + other.iterations)


class Solver:
    """Keeps what consecutive solves of one gesture share: arrays and the working set."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.workspace = Workspace(problem)
        self.program = Program(problem)

    def solve(self, targets: Sequence[State], start: Floats | None = None) -> Solution:
        """From an acceptable pose `start` towards targets; the answer is never worse than `start` or the beginning."""
        work = self.workspace
        work.aim(targets)
        beginning = np.zeros(self.program.n)
        work.evaluate(beginning)
        if start is None or not start.any() or self._done():
            # Back where the gesture began, nothing has to change.
            search = self._searched(beginning)
        else:
            begun = work.cost
            search = self._searched(start)
            if begun < search.cost and not search.reached:
                # The way here led into a corner: the pose before the gesture is nearer.
                search = search.or_nearer(self._searched(beginning))
        if not search.reached:
            search = search.or_nearer(self._search(nudged(self.program, search.z), BOLD), by=CLEARLY)
        return self._solution(self._settled(search), tuple(targets))

    def _searched(self, start: Floats) -> Search:
        """Small moves of a drag go straight to the least change; long ones would overshoot that way."""
        self.workspace.evaluate(start)
        return self._search(start, 0.0 if self.workspace.farthest < NEAR else DAMPING)

    def solve_anew(self, targets: Sequence[State], start: Floats | None = None) -> Solution:
        """As `solve`; a target that is missed is tried again from other poses within the limits."""
        solution = self.solve(targets, start)
        if solution.reached:
            return solution
        self.workspace.evaluate(solution.z, derivatives=False)
        search = Search(solution.z, self.workspace.cost, solution.iterations, False)
        for elsewhere in other_poses(self.program, self.problem.settings.retries):
            search = search.or_nearer(self._search(elsewhere), by=CLEARLY)
            if search.reached:
                break
        return self._solution(self._settled(search), solution.targets)

    def _search(self, start: Floats, softest: float = DAMPING) -> Search:
        """The best pose found from `start`.

        Each step solves the program around the current pose, damped by how far things are still off. A step that does
        not pay on the evaluated pose is taken back and damped more.
        """
        settings, work = self.problem.settings, self.workspace
        work.evaluate(start)
        z = best = start
        best_cost = work.cost if work.pinned_error <= settings.tolerance else math.inf
        merits = [self._merit()] * MEMORY
        least, toughness, idle, iterations = merits[0], softest, 0, 0
        while iterations < settings.iterations and not self._done():
            iterations += 1
            off = work.pulled_error + work.pinned_error
            answer = self._step(z, settings.stride, max(toughness * off, INERTIA / settings.pull))
            if answer is None:
                break
            work.evaluate(answer.z)
            merit = self._merit()
            if merit >= max(merits):
                toughness = max(TOUGHEN * toughness, DAMPING)
                work.evaluate(z)
                if toughness > TOUGHEST:
                    break
                continue
            z = answer.z
            toughness = max(softest, SOFTEN * toughness)
            merits = [*merits[1:], merit]
            if work.pinned_error <= settings.tolerance and work.cost < best_cost:
                best, best_cost = z, work.cost
            idle = idle + 1 if merit > (1.0 - IDLE) * least else 0
            least = min(least, merit)
            if idle >= PATIENCE:
                break
        reached = self._done()
        if work.pinned_error > settings.tolerance:
            restored, more = self._restored(z)
            iterations += more
            if restored is not None and work.cost < best_cost:
                best, best_cost, reached = restored, work.cost, self._done()
        return Search(best, best_cost, iterations, reached)

    def _restored(self, z: Floats) -> tuple[Floats | None, int]:
        """Bring the pins back and leave the pulled states where they are, as nearly as that goes."""
        work = self.workspace
        for n in range(1, RESTORING + 1):
            answer = self._step(z, 0.0, 0.0)
            if answer is None:
                return None, n
            z = answer.z
            work.evaluate(z)
            if work.pinned_error <= self.problem.settings.tolerance:
                return z, n
        return None, RESTORING

    def _settled(self, search: Search) -> Search:
        """From a pose that reaches all targets to one that does so with less change, so that the way does not count.

        Goes on with the same programs, now judged by the change ½‖z‖² plus a fine for what is off, which must be
        dearer than the multipliers; only poses that keep everything are taken.
        """
        if not (search.reached and search.z.any()):
            return search
        settings, work, program = self.problem.settings, self.workspace, self.program
        z = best = search.z
        change = least = float(z @ z)
        off, iterations = 0.0, 0
        work.evaluate(z)
        while iterations < settings.settling:
            iterations += 1
            answer = self._step(z, settings.stride, 1.0 / settings.pull)
            if answer is None:
                break
            promised = float(answer.z @ answer.z)
            if off == 0.0 and promised > WORTHWHILE * change:
                break
            fine = 2.0 * program.resistance(answer)
            work.evaluate(answer.z)
            now = max(0.0, work.pulled_error - settings.reached) + max(0.0, work.pinned_error - settings.tolerance)
            if promised + fine * now > change + fine * off:
                break
            z, change, off = answer.z, promised, now
            if self._done() and change < least:
                best, least = z, change
        return replace(search, z=best, iterations=search.iterations + iterations)

    def _step(self, z: Floats, stride: float, damping: float) -> Answer | None:
        """One program around z, where the workspace stands, solved."""
        work, program = self.workspace, self.program
        advance = 1.0 if work.farthest <= stride else stride / work.farthest
        # Mostly strict; where the rows contradict each other, "no worse than now" is always possible.
        for leniency in (0.0, 0.5, 1.0):
            program.linearise(z, work.errors, work.derivatives, advance, leniency, damping)
            answer = program.solve()
            if answer is not None:
                return answer
        return None

    def _done(self) -> bool:
        settings, work = self.problem.settings, self.workspace
        return work.pulled_error <= settings.reached and work.pinned_error <= settings.tolerance

    def _merit(self) -> float:
        """The cost, plus a fine for pins that have left their tolerance."""
        return self.workspace.cost + FINE * max(0.0, self.workspace.pinned_error - self.problem.settings.tolerance)

    def _solution(self, search: Search, targets: tuple[State, ...]) -> Solution:
        problem, work, pulls = self.problem, self.workspace, len(targets)
        work.evaluate(search.z, derivatives=not search.reached)
        reached = self._done()
        return Solution(
            problem,
            search.z,
            targets,
            frozen(work.positions[:pulls].copy()),
            frozen(work.turns[:pulls].copy()),
            work.lengths[:pulls, 0] * problem.height,
            work.lengths[:pulls, 1].copy(),
            work.pinned_error,
            search.iterations,
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

"""Pull points to their targets, pins held and limits kept, judged on the evaluated pose."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from inbetweener.arrays import Floats, frozen
from inbetweener.posing.elsewhere import nudged, other_poses
from inbetweener.posing.problem import Problem
from inbetweener.posing.program import Answer, Program
from inbetweener.posing.state import State
from inbetweener.posing.workspace import Workspace, largest


@dataclass(frozen=True, slots=True)
class Blocker:
    """What keeps points from their targets — a pin or a limit — and its share of the resistance, 0 to 1."""

    name: str
    share: float


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """Where a pose got to.

    z                         (n,) scaled channels, to start the next solve from
    targets, states           what each pulled point should have, and has
    distances, turns          (pulls,) metres and radians still missing, zero where not wanted
    pin_error                 the worst pin: heights of the character, or radians
    blockers                  what is in the way where not all is reached; empty if limbs are simply too short
    """

    problem: Problem
    z: Floats
    targets: tuple[State, ...]
    states: tuple[State, ...]
    distances: Floats
    turns: Floats
    pin_error: float
    iterations: int
    reached: bool
    blockers: tuple[Blocker, ...]

    @property
    def channels(self) -> Floats:
        """All channel values (C,) of the new pose."""
        return frozen(self.problem.posed(self.z))


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

    def solve(self, targets: Sequence[State], start: Floats) -> Solution:
        """From an acceptable pose `start` towards targets; the answer is never worse than `start` or the beginning."""
        self.workspace.aim(targets)
        search = self._search(start)
        if start.any():
            # Where the way here led into a corner, the pose before the gesture may be nearer: begin there again.
            self.workspace.evaluate(np.zeros_like(start), derivatives=False)
            if self._cost() < search.cost:
                search = search.or_nearer(self._search(np.zeros_like(start)))
        if not search.reached:
            search = search.or_nearer(self._search(nudged(self.program, search.z)), by=CLEARLY)
        return self._solution(self._settle(search) if search.reached else search, tuple(targets))

    def solve_anew(self, targets: Sequence[State], start: Floats) -> Solution:
        """As `solve`; a target that is missed is tried again from other poses within the limits."""
        solution = self.solve(targets, start)
        if solution.reached:
            return solution
        self.workspace.evaluate(solution.z, derivatives=False)
        search = Search(solution.z, self._cost(), solution.iterations, False)
        for elsewhere in other_poses(self.program, self.problem.settings.retries):
            search = search.or_nearer(self._search(elsewhere), by=CLEARLY)
            if search.reached:
                search = self._settle(search)
                break
        return self._solution(search, solution.targets)

    def _search(self, start: Floats) -> "Search":
        """The best pose found from `start`.

        Each step solves the program around the current pose. A step that does not pay on the evaluated pose is taken
        back and damped.
        """
        settings, work = self.problem.settings, self.workspace
        work.evaluate(start)
        z = best = start
        merit = self._merit()
        best_cost = self._cost() if work.pinned_error <= settings.tolerance else math.inf
        damping, trusted, idle, iterations = 0.0, FIRST_DAMPING, 0, 0
        while iterations < settings.iterations and not self._done():
            iterations += 1
            answer = self._step(z, settings.stride, damping)
            if answer is None:
                break
            work.evaluate(answer.z)
            now = self._merit()
            if now >= merit and self._cost() < CORRECTABLE * merit:
                # Only the pins speak against it: bring them back before judging.
                iterations += 1
                answer = self._step(answer.z, 0.0, 0.0) or answer
                work.evaluate(answer.z)
                now = self._merit()
            if now < merit:
                idle = idle + 1 if merit - now < IDLE * merit else 0
                z, merit, trusted = answer.z, now, damping or trusted
                damping = damping * EASE if damping > NO_DAMPING else 0.0
                if work.pinned_error <= settings.tolerance and (cost := self._cost()) < best_cost:
                    best, best_cost = z, cost
                if idle >= PATIENCE:
                    break
            else:
                damping = TOUGHEN * damping if damping >= trusted else trusted
                work.evaluate(z)
                if damping > MOST_DAMPING:
                    break
        reached = self._done()
        if work.pinned_error > settings.tolerance:
            restored, more = self._restore(z)
            iterations += more
            if restored is not None and (cost := self._cost()) < best_cost:
                best, best_cost, reached = restored, cost, self._done()
        return Search(best, best_cost, iterations, reached)

    def _settle(self, search: "Search") -> "Search":
        """From a pose that reaches all targets to one that does so with less change, so that the way does not count.

        Goes on with the same programs, now judged by the change ½‖z‖² plus a fine for what is off, which must be
        dearer than the multipliers; only poses that keep everything are taken.
        """
        settings, work, program = self.problem.settings, self.workspace, self.program
        z = best = search.z
        least, off, damping, iterations = float(z @ z), 0.0, 0.0, 0
        work.evaluate(z)
        while iterations < settings.settling:
            iterations += 1
            answer = self._step(z, settings.stride, damping)
            if answer is None:
                break
            moved = float(np.abs((answer.z - z) / program.step).max())
            fine = program.resistance(answer)
            work.evaluate(answer.z)
            now = max(0.0, work.pulled_error - settings.reached) + max(0.0, work.pinned_error - settings.tolerance)
            if 0.5 * float(answer.z @ answer.z) + fine * now > 0.5 * float(z @ z) + fine * off:
                if moved < SETTLED or damping > 0.0:
                    break
                damping = 2.0 / settings.pull
                work.evaluate(z)
                continue
            z, off, damping = answer.z, now, 0.0
            if self._done() and float(z @ z) < least:
                best, least = z, float(z @ z)
            if off == 0.0 and moved < SETTLED:
                break
        return replace(search, z=best, iterations=search.iterations + iterations)

    def _restore(self, z: Floats) -> tuple[Floats | None, int]:
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

    def _step(self, z: Floats, stride: float, damping: float) -> Answer | None:
        """One program around z, where the workspace stands, solved."""
        work, first = self.workspace, self.problem.pulled_rows
        wish = work.errors[:first]
        # One turn in step with the others: a radian is about as far as a quarter of the height.
        longest = largest(np.where(self.problem.watched.turns[:first], 0.25, 1.0) * wish)
        advance = wish * min(1.0, stride / max(longest, 1e-300))
        off = np.abs(work.errors[first:])
        # Mostly strict; where the rows contradict each other, "no worse than now" is always possible.
        for share in (0.0, 0.5, 1.0):
            slack = np.maximum(SLACK * self.problem.settings.tolerance, share * off)
            self.program.linearise(z, work.errors, work.derivatives, advance, slack, damping)
            answer = self.program.solve()
            if answer is not None:
                return answer
        return None

    def _done(self) -> bool:
        settings, work = self.problem.settings, self.workspace
        return work.pulled_error <= settings.reached and work.pinned_error <= settings.tolerance

    def _cost(self) -> float:
        """How far the pulled states are off, all together and weighted."""
        errors = self.workspace.errors[: self.problem.pulled_rows] * self.program.row_weights
        return float(np.sqrt(errors @ errors))

    def _merit(self) -> float:
        """The cost, plus a fine for pins that have left their tolerance."""
        return self._cost() + FINE * max(0.0, self.workspace.pinned_error - self.problem.settings.tolerance)

    def _solution(self, search: "Search", targets: tuple[State, ...]) -> Solution:
        problem, work, z = self.problem, self.workspace, search.z
        work.evaluate(z)
        pulls = len(problem.request.pulls)
        lengths = np.zeros((2, pulls))
        for i in range(pulls):
            row = problem.watched.rows[i]
            for half in (0, 1):
                if problem.watched.wants[i, half]:
                    lengths[half, i] = np.linalg.norm(work.errors[row : row + 3])
                    row += 3
        reached = self._done()
        return Solution(
            problem,
            frozen(z),
            targets,
            tuple(State(work.positions[i].copy(), work.turns[i].copy()) for i in range(pulls)),
            frozen(lengths[0] * problem.height),
            frozen(lengths[1]),
            work.pinned_error,
            search.iterations,
            reached,
            () if reached else self._blockers(z),
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
        total = sum(push.values())
        ranked = sorted(push.items(), key=lambda each: -each[1])
        return tuple(Blocker(name, force / total) for name, force in ranked if force > 0.02 * total)


SLACK = 0.4
"""How much of the tolerance one linear step may use; the rest is for what it does not see."""

FINE = 10.0
"""What a pin's error costs, against the same error of a pulled point."""

FIRST_DAMPING, NO_DAMPING, MOST_DAMPING, TOUGHEN, EASE = 1e-2, 1e-5, 1e2, 5.0, 0.3
"""Damping relative to the pull: where it starts when a step does not pay, below which it is none, where the search
gives up, and how it goes up and down. Back from an eased step that did not pay, it is what last did."""

CORRECTABLE = 0.8
"""A step that brings the pulled points nearer by this factor is worth a second one that brings the pins back."""

CLEARLY = 0.01
"""A search from elsewhere must end nearer by this share, so that a pose does not flicker between equals."""

IDLE, PATIENCE = 1e-3, 3
"""So many steps in a row that gain less than this share end the search."""

SETTLED = 0.01
"""A step in which no channel moves further, in shares of the longest step, ends the settling."""

RESTORING = 8
"""How many steps may be spent on bringing pins back."""

BALANCE = 10.0
"""Damping under which the final pull is balanced to see who resists: so strong that only what is near counts."""


def solve(problem: Problem, *targets: State, start: Floats | None = None) -> Solution:
    """Solve once, one target for each pull; from the pose before the gesture by default.

    Limits make corners in which a search ends although the target can be reached from elsewhere, so a target that is
    missed is tried again from other poses within the limits, `settings.retries` times; the nearest answer counts. A
    drag does not do this: a pose that jumps under the pointer is worse than one that stops.
    """
    solver = Solver(problem)
    return solver.solve_anew(targets, np.zeros(len(problem.scale)) if start is None else start)

"""Move a point to its target by tangents alone, constraints held on the evaluated motion."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.maths.blocker import Blocker, ranked
from inbetweener.motion import Curves
from inbetweener.tangents.problem import Problem
from inbetweener.tangents.program import CUT_ROOM, Answer, Program
from inbetweener.tangents.value_limits import TOLERANCE, ValueLimits
from inbetweener.tangents.workspace import Workspace


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """Where a drag got to.

    position (3,), turn (3, 3)  the state reached
    z                           scaled tangent variables, to start the next solve from
    target_error                metres, or radians where only an orientation was wanted
    constraint_error            the worst constraint at the watched times: metres, turns as radians
    limit_error                 how far any free curve leaves its limits, beyond what it did at the start
    """

    problem: Problem
    z: Floats
    position: Floats
    turn: Floats
    target_error: float
    constraint_error: float
    limit_error: float
    iterations: int
    reached: bool
    blockers: tuple[Blocker, ...]

    @property
    def curves(self) -> Curves:
        """The edited curves, with the new tangents; keys are where they were."""
        problem = self.problem
        before = [problem.curves[name] for name in problem.names]
        return problem.curves.replaced(dict(zip(problem.names, problem.variables.changed(before, self.z), strict=True)))


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """Where a search ended, how far from the target, and the last step that was looked at."""

    z: Floats
    error: float
    iterations: int
    answer: Answer | None


class Solver:
    """Keeps what consecutive solves of one drag share: arrays, the working set, cuts for limits."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.workspace = Workspace(problem, beside=problem.items.dragged_rows, below=CUT_ROOM)
        self.program = Program(problem, self.workspace.matrix)
        self.limits = ValueLimits(problem.variables)
        self._short = False

    def solve(self, position: npt.ArrayLike | None, turn: npt.ArrayLike | None, start: Floats) -> Solution:
        """From tangents `start` that are acceptable, towards a target; never to a state that is not acceptable."""
        settings, work = self.problem.settings, self.workspace
        work.aim(_array(position), _array(turn))
        self.program.pivots = 0
        found = self._search(start, settings.first_radius)
        if found.error > settings.reached and found.iterations > MOST_LOST and not self._short:
            # Long steps may end in a dead end that short ones go round; once at the edge of what is reachable, not.
            again = self._search(start, SHORT * settings.first_radius)
            found = replace(
                min(found, again, key=lambda each: each.error), iterations=found.iterations + again.iterations
            )
        self._short = found.error > settings.reached
        if work.z is not found.z:
            work.evaluate(found.z)
        return self._solution(found)

    def _search(self, start: Floats, radius: float) -> _Found:
        """The nearest acceptable state that steps from `start` lead to.

        Each step solves the program around the current tangents and is then judged on the evaluated motion. Where the
        motion bends away, later steps hold on to the present tangents more and more; a step that leaves the
        constraints is followed by steps that bring it back; where that fails, it is taken back and the next one may
        not go as far.
        """
        settings, work = self.problem.settings, self.workspace
        if work.z is not start:
            work.evaluate(start)
        error, off = work.target_error, work.constraint_error
        best, best_error, answer = start, error, None
        allowed = max(settings.tolerance, off)
        share, step, went = 0.0, settings.first_step, 0.0
        lost, restoring, iterations = 0, False, 0
        while best_error > settings.reached or allowed > settings.tolerance:
            spent = iterations >= settings.iterations or self.program.pivots >= settings.effort
            if spent or radius < LEAST_RADIUS:
                break
            iterations += 1
            before, off_before, merit = error, off, error + OFF_WORTH * max(0.0, off - allowed)
            new = self._step(0.0, 1.0, radius) if restoring else self._step(step, share, radius)
            if new is None:
                break
            answer = answer if restoring else new
            worthwhile = max(0.1 * settings.reached, WORTHWHILE * before)
            hopeless = lost == 0 and allowed <= settings.tolerance and before - new.error < worthwhile
            if hopeless and share == 1.0:
                break
            if hopeless:
                # Staying near the start may weigh more than what is left of the way: look at that alone.
                share = 1.0
                continue
            went = max(went if lost else 0.0, float(np.abs(new.z - work.z).max()))
            work.evaluate(new.z)
            error, off = work.target_error, work.constraint_error
            inside = off <= allowed and self._within_limits()
            restored = inside and allowed > settings.tolerance and off < 0.5 * allowed
            if inside and (error < best_error or restored):
                best, best_error = new.z, error
                allowed = max(settings.tolerance, min(allowed, off))
                radius = went if restoring else max(radius, 2.0 * went)
                if error > 0.3 * before:
                    share = 0.5 * (1.0 + share)
                lost, restoring, step = 0, False, 2.0 * step
            elif inside or (restoring and off > 0.5 * off_before):
                lost, restoring, share, radius = 0, False, max(0.5, share), 0.4 * went
                work.evaluate(best)
                error, off = work.target_error, work.constraint_error
            else:
                # Newton's next step may find the way back and on; if not, the way back alone is tried.
                better = error + OFF_WORTH * (off - allowed) < 0.9 * merit
                restoring = restoring or (lost > 0 and not better) or lost >= MOST_LOST
                lost += 1
                share = 0.5 * (1.0 + share)
        return _Found(best, best_error, iterations, answer)

    def _step(self, length: float, share: float, radius: float) -> Answer | None:
        """One program around where the workspace is, solved."""
        work, program, z = self.workspace, self.program, self.workspace.z
        first = work.dragged_rows
        wish = work.errors[:first]
        advance = wish * min(1.0, length / max(float(np.sqrt(wish @ wish)), 1e-300))
        program.centre_at(z, share, radius)
        answer = self._solve_program(z, advance)
        for _ in range(CUT_ROUNDS):
            if answer is None or not self.limits.active:
                break
            self.problem.variables.write(answer.z, work.ins, work.outs)
            if not self.limits.add(work.ins, work.outs):
                break
            answer = self._solve_program(z, advance)
        return answer

    def _solve_program(self, z: Floats, advance: Floats) -> Answer | None:
        """The program around z, with the cuts known so far."""
        work, program = self.workspace, self.program
        if len(self.limits.u):
            self.problem.variables.write(z, work.ins, work.outs)
            program.set_cuts(*self.limits.rows(z, work.ins, work.outs))
        # Mostly strict; where the rows contradict each other, "no worse than now" is always possible.
        slack = np.full(len(work.errors) - work.dragged_rows, SLACK * self.problem.settings.tolerance)
        program.linearise(z, work.errors, advance, slack)
        answer = program.solve()
        if answer is None:
            slack = np.maximum(slack, np.abs(work.errors[work.dragged_rows :]))
            program.linearise(z, work.errors, advance, slack)
            answer = program.solve()
        return answer

    def _within_limits(self) -> bool:
        return not self.limits.active or self.limits.worst(self.workspace.ins, self.workspace.outs) <= TOLERANCE

    def _solution(self, found: _Found) -> Solution:
        problem, work, z, answer = self.problem, self.workspace, found.z, found.answer
        dragged = problem.items.dragged
        settings = problem.settings
        reached = work.target_error <= settings.reached and work.constraint_error <= settings.tolerance
        unit = 1.0 if problem.request.wanted == "orientation" else problem.height
        z.flags.writeable = False
        return Solution(
            problem,
            z,
            work.positions[dragged].copy(),
            work.turns[dragged].copy(),
            work.target_error * unit,
            work.constraint_error * problem.height,
            self.limits.worst(work.ins, work.outs) if self.limits.active else 0.0,
            found.iterations,
            reached,
            () if reached or answer is None else self._blockers(answer.multipliers),
        )

    def _blockers(self, multipliers: Floats) -> tuple[Blocker, ...]:
        """Whose rows and bounds push back, by the size of their multipliers."""
        problem, program = self.problem, self.program
        push: dict[str, float] = {}

        def count(name: str, force: float) -> None:
            if force > 0.0:
                push[name] = push.get(name, 0.0) + force

        rows = np.abs(multipliers[program.n + program.residuals :])
        for row, owner in enumerate(problem.items.row_owners()):
            if owner >= 0:
                count(problem.owner_name(int(owner)), float(rows[row]))
        for cut, (curve, _, side) in enumerate(self.limits.where):
            if program.rows + cut < len(rows):
                which = "upper" if side > 0 else "lower"
                count(f"{which} limit of {problem.names[curve]}", float(rows[program.rows + cut]))
        for variable in np.flatnonzero(multipliers[: program.n]):
            count(f"tangent width of {problem.names[variable // 4]}", float(abs(multipliers[variable])))
        return ranked(push, least=0.05)


LEAST_RADIUS = 1e-3
"""Steps that may not go further than this, in scaled variables, lead nowhere."""

SHORT = 0.2
"""How much shorter the steps of a second search are."""

MOST_LOST = 4
"""How many steps may be taken off the constraints before the way back is looked for."""

WORTHWHILE = 5e-4
"""A step that promises less than this share of the remaining way is not taken."""

CUT_ROUNDS = 4
"""How often a step is solved again with further cuts before it is judged."""

OFF_WORTH = 10.0
"""How much worse it is to leave a constraint than to stay behind the target, by the same distance."""

SLACK = 0.4
"""How much of the tolerance one linear step may use; the rest is for what it does not see."""


def solve(
    problem: Problem,
    position: npt.ArrayLike | None = None,
    turn: npt.ArrayLike | None = None,
    *,
    start: Floats | None = None,
) -> Solution:
    """Solve once, from the tangents before the drag by default."""
    return Solver(problem).solve(position, turn, np.zeros(len(problem.variables)) if start is None else start)


def _array(values: npt.ArrayLike | None) -> Floats | None:
    return None if values is None else np.asarray(values, np.float64)

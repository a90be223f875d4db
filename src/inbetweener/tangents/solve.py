"""Move a point to its target by tangents alone, constraints held on the evaluated motion."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.motion import Curves
from inbetweener.tangents.problem import Problem
from inbetweener.tangents.program import CUT_ROOM, Answer, Program
from inbetweener.tangents.value_limits import TOLERANCE, ValueLimits
from inbetweener.tangents.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Blocker:
    """What keeps a point from its target, and its share of the resistance, 0 to 1."""

    name: str
    share: float


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


class Solver:
    """Keeps what consecutive solves of one drag share: arrays, the working set, cuts for limits."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.workspace = Workspace(problem, beside=problem.items.dragged_rows, below=CUT_ROOM)
        self.program = Program(problem, self.workspace.matrix)
        self.limits = ValueLimits(problem.variables)

    def solve(self, position: npt.ArrayLike | None, turn: npt.ArrayLike | None, start: Floats) -> Solution:
        """From tangents `start` that are acceptable, towards a target; never to a state that is not acceptable.

        Each step solves the program around the current tangents and is then judged on the evaluated motion. Where the
        motion bends away, later steps hold on to the present tangents more and more; a step that leaves the
        constraints is followed by steps that bring it back; where that fails, it is taken back and the next one may
        not go as far.
        """
        settings, work = self.problem.settings, self.workspace
        work.aim(_array(position), _array(turn))
        if work.z is not start:
            work.evaluate(start)
        error, off = work.target_error, work.constraint_error
        best, best_error, answer = start, error, None
        allowed = max(settings.tolerance, off)
        share, step, radius, went = 0.0, settings.first_step, settings.first_radius, 0.0
        lost, iterations = 0, 0
        while best_error > settings.reached or allowed > settings.tolerance:
            if iterations >= settings.iterations or radius < LEAST_RADIUS:
                break
            iterations += 1
            before, merit = error, error + OFF_WORTH * max(0.0, off - allowed)
            new = self._step(step, share, radius)
            if new is None:
                break
            answer = new
            hopeless = lost == 0 and allowed <= settings.tolerance and before - new.error < WORTHWHILE * before
            if hopeless and (share > 0.0 or new.error > 0.5 * before):
                break
            went = max(went, self._distance(new.z, work.z)) if lost else self._distance(new.z, work.z)
            work.evaluate(new.z)
            error, off = work.target_error, work.constraint_error
            inside = off <= allowed and self._within_limits()
            restored = inside and allowed > settings.tolerance and off < 0.5 * allowed
            if inside and (error < best_error or restored):
                best, best_error = new.z, error
                allowed = max(settings.tolerance, min(allowed, off))
                lost, step, radius = 0, 2.0 * step, max(radius, 2.0 * went)
                if error > 0.3 * before:
                    share = 0.5 * (1.0 + share)
            elif not inside and (lost == 0 or error + OFF_WORTH * (off - allowed) < 0.9 * merit):
                lost += 1
                share = 0.5 * (1.0 + share)
            else:
                lost, share, radius = 0, max(0.5, share), 0.4 * went
                work.evaluate(best)
                error, off = work.target_error, work.constraint_error
        if work.z is not best:
            work.evaluate(best)
        return self._solution(best, iterations, answer)

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

    @staticmethod
    def _distance(a: Floats, b: Floats) -> float:
        return float(np.abs(a - b).max())

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

    def _solution(self, z: Floats, iterations: int, answer: Answer | None) -> Solution:
        problem, work = self.problem, self.workspace
        dragged = problem.items.dragged
        reached = work.target_error <= problem.settings.reached
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
            iterations,
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
        total = sum(push.values())
        ranked = sorted(push.items(), key=lambda each: -each[1])
        return tuple(Blocker(name, force / total) for name, force in ranked if force > 0.05 * total)


LEAST_RADIUS = 1e-3
"""Steps that may not go further than this, in scaled variables, lead nowhere."""

WORTHWHILE = 0.02
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

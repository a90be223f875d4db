"""Move a point to its target by tangents alone, constraints held on the evaluated motion."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.motion import Curves
from inbetweener.tangents.problem import Problem
from inbetweener.tangents.program import Answer, Program
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
        self.workspace = Workspace(problem)
        self.program = Program(problem)
        self.limits = ValueLimits(problem.variables)

    def solve(self, position: npt.ArrayLike | None, turn: npt.ArrayLike | None, start: Floats) -> Solution:
        """From tangents `start` that are acceptable, towards a target; never to a state that is not acceptable.

        Each step solves the program around the current tangents and is then judged on the evaluated motion. A step
        that leaves the constraints is followed by steps that only restore them; where that fails, it is taken back
        and made shorter.
        """
        settings, work = self.problem.settings, self.workspace
        work.aim(_array(position), _array(turn))
        work.evaluate(start)
        best, best_error = start, work.target_error
        z, answer = start, None
        tolerance = settings.tolerance
        restoring = work.constraint_error > tolerance
        allowed = max(tolerance, work.constraint_error)
        before, step, idle, iterations = work.constraint_error, settings.first_step, 0, 0
        while best_error > settings.reached or restoring:
            if iterations >= settings.iterations:
                break
            iterations += 1
            new = self._step(z, 0.0 if restoring else step)
            if new is None:
                break
            answer = new
            error, off = work.target_error, work.constraint_error
            if off <= allowed and self._within_limits():
                z = new.z
                if off <= tolerance:
                    allowed = tolerance
                gain = best_error - error
                if gain > 0.0 or restoring:
                    best, best_error = new.z, error
                idle = idle + 1 if gain < 0.02 * best_error else 0
                step = step if restoring else 2.0 * step
                restoring = False
                if idle >= 3:
                    break
            elif not restoring or off < 0.5 * before:
                z, restoring = new.z, True
            else:
                z, restoring, step = best, False, 0.25 * step
                if step < settings.reached:
                    break
                work.evaluate(z)
                off = work.constraint_error
            before = off
        work.evaluate(best, derivatives=False)
        return self._solution(best, iterations, answer)

    def _step(self, z: Floats, length: float) -> Answer | None:
        """One program around z, solved; the workspace is evaluated at its answer."""
        work = self.workspace
        first = self.problem.items.dragged_rows
        wish = work.errors[:first]
        advance = wish * min(1.0, length / max(float(np.linalg.norm(wish)), 1e-300))
        off = np.abs(work.errors[first:])
        answer = self._solve_program(z, advance, off)
        for _ in range(CUT_ROUNDS):
            if answer is None or not self.limits.active:
                break
            self.problem.variables.write(answer.z, work.ins, work.outs)
            if not self.limits.add(work.ins, work.outs):
                break
            answer = self._solve_program(z, advance, off)
        if answer is not None:
            work.evaluate(answer.z)
        return answer

    def _solve_program(self, z: Floats, advance: Floats, off: Floats) -> Answer | None:
        """The program around z, with the cuts known so far."""
        work, program = self.workspace, self.program
        self.problem.variables.write(z, work.ins, work.outs)
        program.set_cuts(*self.limits.rows(z, work.ins, work.outs))
        # Mostly strict; where the rows contradict each other, "no worse than now" is always possible.
        for share in (0.0, 1.0):
            slack = np.maximum(SLACK * self.problem.settings.tolerance, share * off)
            program.linearise(z, work.errors, work.derivatives, advance, slack)
            answer = program.solve()
            if answer is not None:
                return answer
        return None

    def _within_limits(self) -> bool:
        return not self.limits.active or self.limits.worst(self.workspace.ins, self.workspace.outs) <= TOLERANCE

    def _solution(self, z: Floats, iterations: int, answer: Answer | None) -> Solution:
        problem, work = self.problem, self.workspace
        dragged = problem.items.dragged
        reached = work.target_error <= problem.settings.reached
        unit = 1.0 if problem.request.wanted == "orientation" else problem.height
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


CUT_ROUNDS = 4
"""How often a step is solved again with further cuts before it is judged."""

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

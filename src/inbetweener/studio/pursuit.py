"""Solving for targets step by step, within a bound on the work."""

from collections.abc import Mapping

from inbetweener.kinodynamics import LooseMotion, Target
from inbetweener.kinodynamics.soft.hitting import has_soft, solve_soft
from inbetweener.kinodynamics.solution import Solution
from inbetweener.kinodynamics.solve import Solver
from inbetweener.kinodynamics.within_limits import solve_within_limits


def pursue(
    motion: LooseMotion,
    targets: Mapping[str, Target],
    *,
    tolerance: float,
    most: int | None = None,
    start: Solution | None = None,
) -> Solution:
    """What `kinodynamics.solve` finds.

    With `most`, the best that was found when so many windows had been simulated, one step at least. Work is counted and
    not timed, so that every machine, however busy, comes to the same bits.
    """
    spent = 0

    def run(rigid: Mapping[str, Target], start: Solution | None) -> Solution:
        nonlocal spent
        if most is not None and 0 < spent >= most and start is not None:
            # Another round from where the last one ended would be one too many; that nothing gets nearer ends it.
            return start
        solver = Solver(motion, rigid, tolerance=tolerance, start=start)
        for progress in solver:
            if most is not None and spent + progress.windows >= most:
                break
        solution = solver.solution()
        spent += solution.windows
        return solution

    # What is on soft parts is solved for as if fixed to the body, over and over.
    if has_soft(targets):
        return solve_soft(motion, targets, run, tolerance, start)
    return solve_within_limits(motion, targets, run, start)

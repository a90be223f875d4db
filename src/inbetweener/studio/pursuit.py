"""Solving for targets step by step, so that whoever waits can be told, or stop it."""

from collections.abc import Callable, Mapping

from inbetweener.kinodynamics import LooseMotion, Target
from inbetweener.kinodynamics.soft.hitting import has_soft, solve_soft
from inbetweener.kinodynamics.solution import Solution
from inbetweener.kinodynamics.solve import Solver
from inbetweener.kinodynamics.within_limits import solve_within_limits


def pursue(
    motion: LooseMotion,
    targets: Mapping[str, Target],
    goes_on: Callable[[Solver], bool],
    *,
    tolerance: float,
    start: Solution | None = None,
) -> Solution:
    """The best that was found until `goes_on`, which is asked after every step, wants no more."""

    is_over = False

    def run(rigid: Mapping[str, Target], start: Solution | None) -> Solution:
        nonlocal is_over
        if is_over and start is not None:
            # Another round from where the last one ended would be one too many; that nothing gets nearer ends it.
            return start
        solver = Solver(motion, rigid, tolerance=tolerance, start=start)
        for _ in solver:
            if is_over := not goes_on(solver):
                break
        return solver.solution()

    # What is on soft parts is solved for as if fixed to the body, over and over.
    if has_soft(targets):
        return solve_soft(motion, targets, run, tolerance, start)
    return solve_within_limits(motion, targets, run, start)

"""Solving for targets step by step, so that whoever waits can be told, or stop it."""

from collections.abc import Callable, Mapping

from inbetweener.kinodynamics import LooseMotion, Target
from inbetweener.kinodynamics.soft.hitting import has_soft, solve_soft
from inbetweener.kinodynamics.solution import Solution
from inbetweener.kinodynamics.solve import Solver


def pursue(
    motion: LooseMotion,
    targets: Mapping[str, Target],
    goes_on: Callable[[Solver], bool],
    *,
    tolerance: float,
    start: Solution | None = None,
) -> Solution:
    """The best that was found until `goes_on`, which is asked after every step, wants no more."""

    def run(rigid: Mapping[str, Target], start: Solution | None) -> Solution:
        solver = Solver(motion, rigid, tolerance=tolerance, start=start)
        for _ in solver:
            if not goes_on(solver):
                break
        return solver.solution()

    # What is on soft parts is solved for as if fixed to the body, over and over.
    return solve_soft(motion, targets, run, tolerance, start) if has_soft(targets) else run(targets, start)

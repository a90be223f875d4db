"""Figures 8 and 9 of [IKD] from our own runs: how fast targets are come near, and from where."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from benchmarks.kinodynamics.published import published
from inbetweener.arrays import Floats, frozen
from inbetweener.kinodynamics.loose_motion import LooseMotion
from inbetweener.kinodynamics.solution import Solution
from inbetweener.kinodynamics.solve import solve
from inbetweener.kinodynamics.target import PointTarget

WIDTHS = (1.0, 0.5)
"""Seconds from where a bell begins to where it ends."""

SCALED = 0.8
"""What the paper damps adjustments by in its curves called "scaled"."""


@dataclass(frozen=True, slots=True, eq=False)
class Convergence:
    """One curve of Fig. 8: errors (n,) in metres after so many windows (n,) were simulated, from before the first."""

    label: str
    width: float
    windows: Floats
    errors: Floats


def convergence(
    motion: LooseMotion,
    target: PointTarget,
    *,
    widths: Sequence[float] = WIDTHS,
    tolerance: float = 1e-8,
    iterations: int = 50,
) -> tuple[Convergence, ...]:
    """Fig. 8: Algorithm 1, scaled and not, and the coupled solver, by the width of the bell."""
    found = []
    for width in widths:
        targets = [replace(target, bell=replace(target.bell, before=width / 2, after=width / 2))]
        for label, scale in (("published", 1.0), ("published, scaled", SCALED)):
            run = published(motion, targets, tolerance=tolerance, iterations=iterations, scale=scale)
            found.append(_curve(label, width, run))
        found.append(_curve("coupled", width, solve(motion, targets, tolerance=tolerance)))
    return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class ErrorsOverPlaces:
    """Fig. 9: errors in metres over target positions (N, 3).

    published  after so many iterations of Algorithm 1; coupled  after as many windows as those took
    """

    positions: Floats
    published: Floats
    coupled: Floats


def errors_over_places(
    motion: LooseMotion, target: PointTarget, positions: npt.ArrayLike, *, iterations: int = 6
) -> ErrorsOverPlaces:
    """Errors of a target that is moved to positions (N, 3), in metres."""
    places = np.asarray(positions, np.float64).reshape(-1, 3)
    theirs, ours = [], []
    for x, y, z in places.tolist():
        targets = [replace(target, position=(x, y, z))]
        run = published(motion, targets, tolerance=1e-12, iterations=iterations)
        theirs.append(run.outcomes[0].after.distance)
        history = solve(motion, targets, tolerance=1e-12, most=run.windows).history
        ours.append([progress.error for progress in history if progress.windows <= run.windows][-1])
    return ErrorsOverPlaces(frozen(places), frozen(theirs), frozen(ours))


def _curve(label: str, width: float, solution: Solution) -> Convergence:
    windows = [progress.windows for progress in solution.history]
    return Convergence(label, width, frozen(windows), frozen([progress.error for progress in solution.history]))

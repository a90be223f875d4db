"""Algorithm 1 of [IKD], as published, for comparison: one target after the other, scaled by a projection.

It solves single targets of bodies that are not too loose; where targets pull at each other, or a body hardly follows
its keys, it may wander off. `solve` is what animators get.
"""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.dynamics.forward import Unstable
from inbetweener.kinodynamics.corrections import HEIGHT, SLOPE
from inbetweener.kinodynamics.loose_motion import LooseMotion
from inbetweener.kinodynamics.problem import Targets
from inbetweener.kinodynamics.residuals import Ask, PointAsk, PoseAsk
from inbetweener.kinodynamics.run import TOLERANCE, Run
from inbetweener.kinodynamics.solution import Solution

ITERATIONS = 50
"""As many as the paper's figures show."""

IK_STEPS = 30
"""Damped steps that an inverse kinematics solution may take."""


def published(
    motion: LooseMotion,
    targets: Targets,
    *,
    tolerance: float = TOLERANCE,
    iterations: int = ITERATIONS,
    scale: float = 1.0,
) -> Solution:
    """Corrections by Algorithm 1; `scale` damps every adjustment, 0.8 in the curves of Fig. 8 called "scaled"."""
    return Published(motion, targets, tolerance=tolerance).solved(iterations, scale)


class Published(Run):
    """A run of Algorithm 1. The motion after its last iteration is its answer, better or not."""

    def solved(self, iterations: int, scale: float) -> Solution:
        """The nested loops of the listing, line by line."""
        problem = self.problem
        wanted = np.zeros_like(self._point.coefficients)  # Δx and Δẋ of every target, (K, 2, C)
        self.ending = "stuck"
        try:
            for _ in range(iterations):
                if self.error <= self.tolerance:
                    break
                for k, ask in enumerate(problem.asks):
                    for kind in (HEIGHT, SLOPE):
                        self._adjust(wanted, k, ask, kind, scale)
                self._point = self._best = self._at(self._interpolated(wanted)[None])[0]
                self._look()
        except Unstable:
            # Corrections have grown beyond all bounds: what came before is what there is.
            pass
        if self.error <= self.tolerance:
            self.ending = "reached"
        return self.solution()

    def _adjust(self, wanted: Floats, k: int, ask: Ask, kind: int, scale: float) -> None:
        """Lines 7 to 10: Δx ← Δx + (Δp · d / |d|²) e, with d what a trial of e changes (Eqs. 3 and 5)."""
        rows = _rows(ask, kind)
        if not rows.any():
            return
        coefficients = self._interpolated(wanted)
        now = self._only(coefficients, k)
        missing = ask.residuals(now[None])[0, rows]
        if not missing.any():
            return
        error = solve_ik(ask, now[0]) if kind == HEIGHT else _speed_error(ask, now[0], missing)
        coefficients[k, kind] += error
        tried = self._only(coefficients, k)
        change = missing - ask.residuals(tried[None])[0, rows]
        wanted[k, kind] += scale * float(missing @ change) / max(float(change @ change), 1e-300) * error

    def _only(self, coefficients: Floats, k: int) -> Floats:
        """(2, C): one target's loose state and the one a step earlier, simulated alone."""
        return self._trials.states(coefficients[None], self._point.states, only=k)[0, k]

    def _interpolated(self, wanted: Floats) -> Floats:
        """SolveInterpolation: the coefficients with which all corrections together have these values and slopes
        at the targets' times (Eqs. 10, 11)."""
        problem, count = self.problem, len(wanted)
        times = [target.time for target in problem.targets]
        moving = [k for k, ask in enumerate(problem.asks) if _rows(ask, SLOPE).any()]
        matrix = np.zeros((2 * count, 2 * count))
        for j, shape in enumerate(problem.shapes):
            values = shape.motion(times)  # (K, φ or ψ, derivative)
            for kind in (HEIGHT, SLOPE):
                matrix[:count, 2 * j + kind] = values[:, kind, 0]
                matrix[count:, 2 * j + kind] = values[:, kind, 1]
        # Only what is asked for is interpolated; wiggles of targets without a speed stay out.
        kept = [*range(count), *(count + k for k in moving)]
        used = sorted([2 * k for k in range(count)] + [2 * k + 1 for k in moving])
        right = np.concatenate([wanted[:, HEIGHT], wanted[moving, SLOPE]])
        result = np.zeros((2 * count, wanted.shape[-1]))
        result[used] = np.linalg.lstsq(matrix[np.ix_(kept, used)], right, rcond=1e-10)[0]
        return result.reshape(wanted.shape)


def solve_ik(ask: Ask, pose: Floats) -> Floats:
    """(C,): what to add to a pose so that it has the position and turn that are asked for, by damped least squares.

    Where it cannot, what comes near ([IKD] Eq. 4).
    """
    rows = _rows(ask, HEIGHT)
    if not rows.any():
        return np.zeros_like(pose)
    moved = pose.copy()
    for _ in range(IK_STEPS):
        missing = ask.residuals(np.stack([moved, moved])[None])[0, rows]
        if np.linalg.norm(missing) < 1e-12:
            break
        ways = ask.directions(moved[None])
        moved += missing @ ways.vectors[ways.kinds == HEIGHT]
    return np.asarray(moved - pose, np.float64)


def _speed_error(ask: Ask, pose: Floats, missing: Floats) -> Floats:
    """(C,) a second: J⁺ of the missing speed (Eq. 14)."""
    ways = ask.directions(pose[None])
    return np.asarray(missing @ ways.vectors[ways.kinds == SLOPE], np.float64)


def _rows(ask: Ask, kind: int) -> Floats:
    """Which of an ask's residuals are of positions and turns, or of speeds."""
    if isinstance(ask, PointAsk):
        heights = 3 * ((ask.position is not None) + (ask.turn is not None))
        speeds = 3 * (ask.velocity is not None)
    else:
        assert isinstance(ask, PoseAsk)
        heights, speeds = len(ask.channels), len(ask.rated)
    return np.repeat([kind == HEIGHT, kind == SLOPE], [heights, speeds])

"""A run towards targets: where it is, what it has seen, and what it is worth in the end."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from inbetweener.arrays import Floats, frozen
from inbetweener.kinodynamics.loose_motion import LooseMotion
from inbetweener.kinodynamics.problem import Problem, Targets
from inbetweener.kinodynamics.residuals import Ask, HoldAsk
from inbetweener.kinodynamics.solution import Ending, Progress, Solution, TargetOutcome
from inbetweener.kinodynamics.trials import Trials

TOLERANCE, HIT = 1e-8, 1e-5
"""Metres: how near targets are led, and how near one is hit. Many that crowd in time may end some micrometres short,
for windows that depend on the motion change with every correction; nobody will see that.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """Where a run is: coefficients (K, B, C), states (K, W, C), what is missing target by target, and all of it
    weighed, one after the other (m,); error, metres that the worst target is off.
    """

    coefficients: Floats
    states: Floats
    parts: list[Floats]
    residual: Floats
    error: float

    @property
    def size(self) -> float:
        """What steps make smaller."""
        return float(np.linalg.norm(self.residual))


class Run:
    """What every way of solving shares: a problem, and the point that was come to."""

    def __init__(self, motion: LooseMotion, targets: Targets, *, tolerance: float = TOLERANCE) -> None:
        self.problem = Problem.of(motion, targets)
        self.tolerance = tolerance
        self.history: list[Progress] = []
        self.ending: Ending = "stopped"
        self._made: tuple[Point, LooseMotion] | None = None
        self._trials = Trials(self.problem)
        # What holds counts as a whole as much as what is hit once.
        self._weights = [
            float(np.sqrt(target.weight / (len(ask.times) if isinstance(ask, HoldAsk) else 1)))
            for target, ask in zip(self.problem.targets, self.problem.asks, strict=True)
        ]
        shape = len(self.problem.targets), self.problem.parts, len(motion.rig.channels)
        self._before = self._point = self._best = self._at(np.zeros((1, *shape)))[0]
        self._missed = [ask.miss(part) for ask, part in zip(self.problem.asks, self._before.parts, strict=True)]
        self._look()

    @property
    def error(self) -> float:
        """Metres: how far the worst target is off where the run is now."""
        return self._point.error

    def solution(self) -> Solution:
        """The best that was reached so far, measured afresh on the motion of the corrected clip."""
        problem, coefficients = self.problem, self._best.coefficients
        trials = Trials(replace(problem, motion=self._corrected(), asks=problem.checks))
        layers = {layer.name: layer for layer in trials.problem.motion.clip.layers}
        states = trials.states(np.zeros((1, *coefficients.shape)))
        parts = [part[0] for part in trials.residuals(states)]
        outcomes = []
        for k, name in enumerate(problem.names):
            outcomes.append(
                TargetOutcome(
                    name,
                    problem.targets[k],
                    layers[name].curves,
                    frozen(coefficients[k, : len(problem.shapes[k].parts)]),
                    frozen(states[0, k, 0]),
                    self._missed[k],
                    problem.checks[k].miss(parts[k]),
                    problem.checks[k].off(parts[k]) <= max(self.tolerance, HIT),
                )
            )
        last = Progress(
            _worst(problem.checks, parts),
            self._trials.windows + trials.windows,
            self._trials.batches + trials.batches,
        )
        # Windows that change with every correction may never settle: what is measured counts.
        missed = self.ending == "reached" and not all(outcome.reached for outcome in outcomes)
        history = (*self.history, *([last] if outcomes else []))
        return Solution(tuple(outcomes), history, "stuck" if missed else self.ending)

    def _corrected(self) -> LooseMotion:
        """The motion of the clip with the best corrections in it; finding the length of its windows may take long."""
        if self._made is None or self._made[0] is not self._best:
            self._made = self._best, self.problem.with_layers(self.problem.layers(self._best.coefficients))
        return self._made[1]

    def _at(self, coefficients: Floats) -> list[Point]:
        """The points (V,) with coefficients (V, K, B, C)."""
        states = self._trials.states(coefficients)
        parts = self._trials.residuals(states)
        together = self._weighed(parts)
        found = []
        for v, own in enumerate(coefficients):
            missing = [part[v] for part in parts]
            found.append(Point(own, states[v], missing, together[v], _worst(self.problem.asks, missing)))
        return found

    def _weighed(self, parts: list[Floats]) -> Floats:
        """All residuals (V, m) with their targets' weights."""
        if not parts:
            return np.zeros((1, 0))
        return np.concatenate([weight * part for weight, part in zip(self._weights, parts, strict=True)], axis=1)

    def _look(self) -> Progress:
        """Keep the best point, and write down how far the run has come."""
        if self._point.size < self._best.size:
            self._best = self._point
        self.history.append(Progress(self._best.error, self._trials.windows, self._trials.batches))
        return self.history[-1]


def _worst(asks: Sequence[Ask], parts: Sequence[Floats]) -> float:
    """Metres: how far the worst target is off."""
    return max((ask.off(part) for ask, part in zip(asks, parts, strict=True)), default=0.0)

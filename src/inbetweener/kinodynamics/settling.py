"""After a stop: what was stopped is led along its keyed way for as long as the bell of its target says.

A bell that comes back throws what hangs on it, and springs alone let a loose arm sink that has been stopped dead. What
is corrected after a target changes nothing of it, as no window knows what comes after its end: so once targets are hit,
bumps after those that stop are found by least squares, damped and within limits, with which the place strays least from
its keys.
"""

from dataclasses import replace

import numpy as np

from inbetweener.arrays import Floats, frozen
from inbetweener.dynamics.forward import Unstable
from inbetweener.kinodynamics.corrections import BUMPS, HEIGHT, SLOPE
from inbetweener.kinodynamics.problem import Problem
from inbetweener.kinodynamics.residuals import Ask, HoldAsk, PointAsk
from inbetweener.kinodynamics.trials import Trials
from inbetweener.kinodynamics.ways import Ways
from inbetweener.kinodynamics.within_limits import Limits

LOOKED_AT = 12
"""Times after it at which its way is looked at."""

NUDGE, DAMPED = 1e-3, 0.05
"""How far every bump is tried, and how much steps are damped, as a share of the strongest: what would have to be led
very far for little is let be."""

EASED = 0.5
"""The share of that in which being off it comes to count in full: who must be back at once jerks."""

STEPS, PAYS = 4, 0.95
"""So many steps are taken, as long as each leaves less than this of what strays."""

SHARES = (1.0, 0.5, 0.2)
"""Parts of a step that are tried."""


class Settling:
    """The ways of what is stopped by the targets of a problem, after they are hit."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.stops = [
            k
            for k, (ask, shape) in enumerate(zip(problem.asks, problem.shapes, strict=True))
            if isinstance(ask, PointAsk) and len(shape.parts) > SLOPE + 1
            if problem.targets[k].time + 2 * ask.step < problem.motion.clip.end
        ]

    def settled(self, coefficients: Floats, limits: Limits) -> tuple[Floats, int, int]:
        """Corrections (K, B, C) with which what is stopped strays less, and the windows and batches that took."""
        if not self.stops:
            return coefficients, 0, 0
        asks = [self._way(k) if k in self.stops else ask for k, ask in enumerate(self.problem.asks)]
        trials, ways, here = Trials(replace(self.problem, asks=tuple(asks))), self._ways(), coefficients
        moved = self.problem.parts * ways.targets + ways.kinds
        try:
            states = trials.states(here[None], at_once=True)
            off = self._strays(trials, states)[0]
            nudged = here + ways.coefficients(NUDGE * np.eye(len(ways.targets)), here.shape)
            J = (self._strays(trials, trials.states(nudged, states[0], moved, at_once=True)) - off).T / NUDGE
            for _ in range(STEPS):
                step = ways.bounded(limits.step(ways, J, off, DAMPED, here))
                steps = np.outer(SHARES, step)
                tried = [limits.shortened(here, there) for there in here + ways.coefficients(steps, here.shape)]
                found = self._strays(trials, trials.states(np.stack(tried), at_once=True))
                best = int(np.linalg.norm(found, axis=1).argmin())
                if not np.linalg.norm(found[best]) < PAYS * np.linalg.norm(off):
                    break
                # Learnt from the step, as everywhere here: measuring costs as much as everything else together.
                J += np.outer(found[best] - off - J @ steps[best], steps[best]) / float(steps[best] @ steps[best])
                here, off = tried[best], found[best]
        except Unstable:
            pass  # what has been found until then is sound
        return here, trials.windows, trials.batches

    def _strays(self, trials: Trials, states: Floats) -> Floats:
        """(V, m): metres by which what is stopped is off its keyed ways, which it comes back to by and by."""
        parts = trials.residuals(states)
        weighed = []
        for k in self.stops:
            count = parts[k].shape[1] // 3
            by = np.repeat(np.minimum(1.0, np.arange(1, count + 1) / (EASED * count)), 3)
            weighed.append(by * parts[k])
        return np.concatenate(weighed, axis=1)

    def _way(self, k: int) -> Ask:
        """Where keys have the place of a target after it."""
        problem, ask, shape = self.problem, self.problem.asks[k], self.problem.shapes[k]
        assert isinstance(ask, PointAsk)
        clip, step, first = problem.motion.clip, ask.step, problem.targets[k].time
        last = min(float(shape.parts[-1].times[-1]), clip.end)
        steps = np.unique(np.round(np.linspace(0.0, last - first, LOOKED_AT + 1)[1:] / step))
        times = first + step * steps[steps > 0]
        positions = problem.motion.rig.states(problem.motion.tight.channels(times), ask.place)[0]
        return HoldAsk(ask.rig, ask.place, ask.gives, frozen(times), frozen(positions), None, frozen([]), 0.0)

    def _ways(self) -> Ways:
        """Every bump of every channel that gives way for a stop, by itself."""
        found = []
        for k, ask in enumerate(self.problem.asks):
            each = ask.all_directions()
            heights = each.vectors[each.kinds == HEIGHT] if k in self.stops else each.vectors[:0]
            kinds = np.repeat(np.arange(SLOPE + 1, SLOPE + 1 + BUMPS), len(heights))
            found.append(replace(each, kinds=kinds, vectors=np.tile(heights, (BUMPS, 1))))
        return Ways.of(found)

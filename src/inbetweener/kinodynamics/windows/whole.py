"""One simulation of the whole shot: what windows stand in for, and what they are measured by."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.dynamics.movement import Movement
from inbetweener.kinodynamics import kernels
from inbetweener.kinodynamics.looseness import LONGEST

if TYPE_CHECKING:
    from inbetweener.kinodynamics.loose_motion import LooseMotion


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    """n + 1 moments a step apart, the last at `last`; what swings (L) and follows (F), off and how fast it gets off.

    values (n + 1, C) channels as simulated; swung (n + 1, L) and followed (n + 1, F) as places and speeds
    """

    last: float
    step: float
    values: Floats
    swung: tuple[Floats, Floats]
    followed: tuple[Floats, Floats]

    def rows(self, times: Floats) -> Ints:
        """(T,) which moment each time is; the first where it lies before."""
        back = np.round((self.last - times) / self.step).astype(np.int64)
        return np.maximum(len(self.values) - 1 - back, 0)

    def times(self, rows: Ints) -> Floats:
        """(T,) when moments are."""
        return np.asarray(self.last - self.step * (len(self.values) - 1 - rows), np.float64)


def run_up(motion: "LooseMotion", at_most: float = LONGEST) -> float:
    """Seconds before the start at which the simulation begins: until the pose that is held there has come to rest.

    Loops go around as often as that takes.
    """
    seconds = min(motion.loosened.modes.settling, at_most)
    length = motion.clip.end - motion.clip.start
    if motion.clip.loops and length > 0:
        return float(np.ceil(max(seconds, motion.loosened.step) / length) * length)
    return float(np.ceil(seconds / motion.loosened.step) * motion.loosened.step)


def simulate(motion: "LooseMotion", first: float, last: float, at_most: float = LONGEST) -> Whole:
    """From a run-up before `first` until `last`."""
    loosened, step = motion.loosened, motion.loosened.step
    count = int(np.ceil((last - first + run_up(motion, at_most)) / step - 1e-6))
    passed = motion.moments(np.array([last]), np.array([count]), shown=count + 1)
    row, reference = passed.rows[0], motion.reference(passed)
    values = np.ascontiguousarray(reference[row, :, 0])
    swinging, following = loosened.swinging, loosened.following
    swung = followed = (np.zeros((count + 1, 0)), np.zeros((count + 1, 0)))
    if len(swinging.dofs):
        keyed = Movement.of(motion.rig.keyed, reference, differentiable=False)
        places, off, speeds = motion.swings(keyed, row, passed.ends[0])
        swung = off, speeds
        loosened.put_swung(places, values.copy(), values)
    if len(following.channels):
        tight = loosened.keyed(reference[row])
        found, rates = np.empty_like(tight.values), np.empty_like(tight.values)
        kernels.trace(tight, found, rates)
        followed = found - tight.values, rates - tight.speeds
        values[:, following.channels] = np.clip(found, *loosened.following_limits)
    return Whole(last, step, values, swung, followed)


def states(motion: "LooseMotion", times: Floats) -> Floats:
    """Channel values (T, C) of the whole simulation; times that share no grid of steps are simulated apart."""
    result, step = np.empty((len(times), len(motion.rig.channels))), motion.loosened.step
    if not len(times):
        return result
    phases = (times - times[0] - step * np.round((times - times[0]) / step)).round(8) + 0.0
    for phase in np.unique(phases):
        own = phases == phase
        whole = simulate(motion, min(motion.clip.start, float(times[own].min())), float(times[own].max()))
        result[own] = whole.values[whole.rows(times[own])]
    return result

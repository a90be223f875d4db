"""Windows that are found: one length for a clip, or one for every moment, so that little enough is missed.

A window begins on the keyed motion where a simulation of the whole shot is off it; what it misses is that difference,
died away until now. So one simulation of the shot, and the modes of what is loose, tell how long windows must be. What
bumps into things is off by that too, so windows reach back over the bump until it has died away.
Lengths come from a ladder: small edits leave them as they are, and what was simulated with them stays good.
"""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.dynamics.forward import Unstable
from inbetweener.kinodynamics.windows import whole
from inbetweener.kinodynamics.windows.errors import apart

if TYPE_CHECKING:
    from inbetweener.kinodynamics.loose_motion import LooseMotion

LONGEST_FOUND = 4.0
"""Seconds: windows longer than this must be asked for, as every state then takes a while."""

RUNG = 1.2
"""Each rung of the ladder of lengths is this many times the one below, or a step longer."""

LOOKED_AT = 100
"""Moments of a clip at which what is off is looked at, spread evenly: fast enough to find while a curve is dragged."""

SLOPE = 0.5
"""Seconds by which windows of neighbouring moments may differ for each second between: longer and shorter ones pass
into each other unseen."""

TRIED = 8
"""Windows that are simulated to see whether the modes are right about a length."""

MARGIN = 0.5
"""The share of the allowed error that those may have: others may be somewhat worse."""

SHORT = 0.5
"""Seconds: the window where the whole shot cannot be simulated."""

ROUNDS = 6
"""How often windows that miss too much are made longer."""

NOWHERE = frozen(np.empty((0, 2)))


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """Lengths in steps at moments (K,), straight lines between; one moment where all are alike.

    period  seconds after which they come again, where a clip loops; 0 where it does not
    closed  (n, 2) from when until when none begins, and how long a step is: keys are inside of something then
    """

    times: Floats
    steps: Floats
    period: float = 0.0
    closed: Floats = field(default_factory=lambda: NOWHERE)
    step: float = 0.0

    @classmethod
    def even(cls, steps: int) -> "Windows":
        """The same everywhere."""
        return cls(frozen([0.0]), frozen([float(steps)]))

    def stretched(self, was: float, now: float, step: float) -> "Windows":
        """About those of springs that decay at a rate `now` where it `was` another: swings last as much longer."""
        if was == now or not 0 < was < np.inf:
            return self
        most = np.maximum(self.steps, LONGEST_FOUND / step)
        return replace(self, steps=frozen(np.clip(self.steps * (was / max(now, 1e-9)), 1.0, most)))

    def counts(self, times: Floats) -> Ints:
        """(T,) how many steps the window of each time has."""
        inside = self.times[0] + (times - self.times[0]) % self.period if self.period else times
        counts = np.ceil(np.interp(inside, self.times, self.steps) - 1e-9).astype(np.int64)
        for first, last in self.closed:
            begins = times - counts * self.step
            back = (begins - first) % self.period if self.period else begins - first
            # Where keys lead into something, a window begins before they do.
            within = (back > 0.0) & (back < last - first)
            counts = np.where(within, counts + np.ceil(back / self.step).astype(np.int64), counts)
        return counts


def find(motion: "LooseMotion") -> Windows:
    """Windows of a motion whose looseness leaves them to be found."""
    loosened, clip = motion.loosened, motion.clip
    if not (len(loosened.swinging.dofs) or len(loosened.following.channels)):
        return Windows.even(1)
    rungs = _ladder(motion)
    try:
        shot = whole.simulate(motion, clip.start, clip.end, at_most=LONGEST_FOUND)
    except Unstable:
        # What blows up in the long run may well do for a while: better a short window than none.
        return Windows.even(int(rungs[rungs * loosened.step <= SHORT][-1]))
    period = clip.end - clip.start if clip.loops else 0.0
    shortest = Windows(frozen([0.0]), frozen([1.0]), period, _closed(motion), loosened.step)
    longest = _longest(motion, shot, rungs, shortest)
    if loosened.looseness.window == "auto" or longest.steps[0] <= 1:
        return longest
    return _adapted(motion, shot, rungs, longest)


def _closed(motion: "LooseMotion") -> Floats:
    """(n, 2) the stretches, short enough to look back over, in which keys have loose parts inside of something."""
    clip, step = motion.clip, motion.loosened.step
    moments = np.arange(clip.start, clip.end + step / 2, step)
    edges = np.flatnonzero(np.diff(np.r_[False, motion.bumping(moments), False].astype(np.int8)))
    stretches = np.column_stack([moments[np.maximum(edges[::2] - 1, 0)], moments[edges[1::2] - 1] + step])
    return frozen(stretches[stretches[:, 1] - stretches[:, 0] < LONGEST_FOUND / 2].reshape(-1, 2))


def _ladder(motion: "LooseMotion") -> Ints:
    """Lengths (R,) in steps, up to the clip's own where it does not loop."""
    clip, step = motion.clip, motion.loosened.step
    seconds = LONGEST_FOUND if clip.loops else min(LONGEST_FOUND, clip.end - clip.start)
    most = max(int(seconds / step + 1e-6), 1)
    rungs = [1]
    while rungs[-1] < most:
        rungs.append(min(max(rungs[-1] + 1, round(RUNG * rungs[-1])), most))
    return np.array(rungs, np.int64)


def _off(motion: "LooseMotion", shot: whole.Whole, rows: Ints) -> tuple[Floats, Floats]:
    """Modes' places and speeds (T, K) by which the shot is off its keyed motion at some of its moments."""
    modes = motion.loosened.modes
    places, speeds = (
        modes.coordinates(swung[rows], followed[rows])
        for swung, followed in zip(shot.swung, shot.followed, strict=True)
    )
    return places, speeds


def _longest(motion: "LooseMotion", shot: whole.Whole, rungs: Ints, like: Windows) -> Windows:
    """The shortest windows of one length at which no window misses more than allowed, whatever is off where it begins.

    By the modes first, which know small swings about the rest pose only; then by some windows, of which half end where
    these expect most to be missed.
    """
    loosened, error = motion.loosened, motion.loosened.looseness.error
    first = int(shot.rows(np.array([motion.clip.start]))[0])
    rows = np.unique(np.linspace(first, len(shot.values) - 1, LOOKED_AT).astype(np.int64))
    places, speeds = _off(motion, shot, rows)
    low, high = 0, len(rungs) - 1
    while low < high:
        middle = (low + high) // 2
        enough = loosened.modes.left(rungs[middle] * loosened.step, places, speeds).max(initial=0.0) <= error
        low, high = (low, middle) if enough else (middle + 1, high)
    spread = rows[np.linspace(0, len(rows) - 1, TRIED).astype(np.int64)]
    while low < len(rungs) - 1:
        expected = loosened.modes.left(rungs[low] * loosened.step, places, speeds)
        worst = rows[np.argsort(expected, kind="stable")[-TRIED // 2 :]] + rungs[low]
        ends = np.unique(np.minimum(np.r_[spread, worst], len(shot.values) - 1))
        times = shot.times(ends)
        tried = motion.states_after(times, replace(like, steps=frozen([float(rungs[low])])).counts(times))
        if apart(motion, tried, shot.values[ends]).max() <= MARGIN * error:
            break
        low += 1
    return replace(like, steps=frozen([float(rungs[low])]))


def _adapted(motion: "LooseMotion", shot: whole.Whole, ladder: Ints, longest: Windows) -> Windows:
    """For every frame the shortest length from which on no longer one misses too much; measured, and made longer."""
    most, rungs, like = (
        int(ladder[-1]),
        ladder[ladder <= longest.steps[0]],
        replace(longest, times=motion.clip.frame_times),
    )
    loosened, clip, step = motion.loosened, motion.clip, motion.loosened.step
    times, error = clip.frame_times, loosened.looseness.error
    ends = shot.rows(times)
    enough = np.empty((len(rungs), len(times)), np.bool_)
    for r, count in enumerate(rungs):
        places, speeds = _off(motion, shot, np.maximum(ends - count, 0))
        enough[r] = loosened.modes.left(count * step, places, speeds) <= error
    enough[-1] = True
    # Above the last rung that is too short.
    lacking = np.where(enough.all(axis=0), -1, len(rungs) - 1 - np.argmin(enough[::-1], axis=0))
    steps = rungs[lacking + 1].astype(np.float64)
    truth, missed, known = motion.simulated(times), np.zeros(len(times)), np.zeros(len(times), np.int64)
    for _ in range(ROUNDS):
        steps = _eased(times, steps, step, like.period)
        counts = replace(like, steps=steps).counts(times)
        anew = counts != known
        missed[anew] = apart(motion, motion.states_after(times[anew], counts[anew]), truth[anew])
        known, short = counts, ~(missed <= error) & (counts < most)
        if not short.any():
            break
        steps[short] = np.minimum(np.ceil(1.3 * steps[short]), most)
    return replace(like, steps=frozen(_eased(times, steps, step, like.period)))


def _eased(times: Floats, steps: Floats, step: float, period: float) -> Floats:
    """Nowhere shorter, and nowhere changing faster than SLOPE."""
    count = len(times)
    if period:
        # A loop comes from its end and goes on at its start.
        times, steps = np.concatenate([times - period, times, times + period]), np.tile(steps, 3)
    ramp = SLOPE * times / step
    falling = np.maximum.accumulate(steps + ramp) - ramp
    rising = np.maximum.accumulate((steps - ramp)[::-1])[::-1] + ramp
    eased = np.maximum(np.maximum(falling, rising), steps)
    return eased[count : 2 * count] if period else eased

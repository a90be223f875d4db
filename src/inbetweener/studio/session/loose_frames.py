"""The frames of a loose motion, simulated as there is time for it: those that somebody looks at first."""

import time

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, Ints
from inbetweener.kinodynamics import LooseMotion, Loosened
from inbetweener.skinning.mesh import Singles
from inbetweener.studio.session.changes import ALWAYS, Span

Run = tuple[int, int]
"""Consecutive frames, first and last."""

AHEAD = 1000
"""Frames to either side that are simulated before anybody asks: whole shots, and not an hour of captured motion."""

GUESS = 0.001
"""Seconds that one frame is thought to take before any was simulated."""


class LooseFrames:
    """Channel values of every frame. Frames that are not known yet read as they were before, at first as keyed.

    A frame that is known has been told to the page, or is told soon.
    """

    def __init__(self, motion: LooseMotion) -> None:
        self.motion = motion
        self.values: Floats = motion.tight.channels(_times(motion))
        self._known = np.zeros(len(self.values), np.bool_)
        self._sent = np.zeros(len(self.values), np.bool_)
        self._cost = GUESS

    def follow(self, motion: LooseMotion, span: Span | None) -> None:
        """Another motion with as many frames, which differs from the last one within a span."""
        self.motion = motion
        if span is not None:
            times = _times(motion)
            differs = (times > span[0] - 1e-9) & (times < span[1] + 1e-9)
            self._known[differs] = self._sent[differs] = False

    def untell(self, first: int, last: int) -> None:
        """Some frames must be told, though they may have been."""
        self._sent[max(first, 0) : last + 1] = False

    def is_sent(self, around: float) -> bool:
        """Whether all frames are known and told that are near enough to a frame to be looked at soon."""
        middle = int(min(max(around, 0.0), len(self._sent)))
        return bool(self._sent[max(middle - AHEAD, 0) : middle + AHEAD].all())

    def take(self, around: float, seconds: float, most: int) -> list[Run]:
        """What to tell next: frames nearest to a frame, one at least, of which unknown ones are simulated.

        That takes about so many seconds; and at most so many frames are taken.
        """
        missing = np.flatnonzero(~self._sent)
        nearest = missing[np.argsort(np.abs(missing - around), kind="stable")][:most]
        affordable = np.cumsum(~self._known[nearest]) * self._cost <= seconds
        affordable[:1] = True
        chosen = np.sort(nearest[affordable])
        self._simulate(chosen[~self._known[chosen]])
        self._sent[chosen] = True
        return _runs(chosen.tolist())

    def offsets(self, first: int, last: int) -> dict[int, Singles]:
        """How far soft vertices are off (F, V, 3) on consecutive frames, by the mesh's number."""
        found = self.motion.offsets(_times(self.motion)[first : last + 1])
        return {mesh: offsets[:, soft_vertices(self.motion.loosened, mesh)] for mesh, offsets in found.items()}

    def _simulate(self, frames: npt.NDArray[np.intp]) -> None:
        if not len(frames):
            return
        began = time.perf_counter()
        self.values[frames] = self.motion.channels(_times(self.motion)[frames])
        self._known[frames] = True
        # A slow start is soon forgotten, and one slow frame not taken for the rule.
        self._cost += 0.5 * ((time.perf_counter() - began) / len(frames) - self._cost)


def soft_vertices(loosened: Loosened, mesh: int) -> Ints:
    """Which vertices of a mesh, by their numbers, soft parts move."""
    bodies = [body for number, body in loosened.softened.bodies if number == mesh]
    return np.unique(np.concatenate([body.carried.vertices for body in bodies]))


def swings_until(span: Span | None, before: LooseMotion | None, after: LooseMotion | None) -> Span | None:
    """Where what is watched may differ, when keyed motion differs within a span: a swing lasts for a window."""
    if before is None and after is None:
        return span
    if before is None or after is None or before.loosened is not after.loosened or before.solids != after.solids:
        return ALWAYS
    if before.clip is after.clip and before.windows is after.windows:
        return span
    if before.clip.loops != after.clip.loops or len(before.clip.frame_times) != len(after.clip.frame_times):
        return ALWAYS
    times = _times(after)
    was, now = before.window(times), after.window(times)
    # Accelerations are means over a step about each moment: they reach as far to either side.
    step = after.loosened.step
    first, last = (np.inf, -np.inf) if span is None else (span[0] - step, span[1] + step + float(now.max(initial=0.0)))
    if after.clip.loops and (first < after.clip.start or last > after.clip.end):
        return ALWAYS
    # Windows that are found may have another length also where the motion itself is as before.
    others = times[was != now]
    first, last = min(first, others.min(initial=np.inf)), max(last, others.max(initial=-np.inf))
    return (first, last) if first <= last else None


def _times(motion: LooseMotion) -> Floats:
    clip = motion.clip
    return np.asarray(clip.start + np.arange(len(clip.frame_times)) / clip.rate)


def _runs(frames: list[int]) -> list[Run]:
    """Frames in order as stretches without a gap."""
    runs: list[Run] = []
    for frame in frames:
        if runs and frame == runs[-1][1] + 1:
            runs[-1] = runs[-1][0], frame
        else:
            runs.append((frame, frame))
    return runs

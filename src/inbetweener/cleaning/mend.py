"""Mending what was found: bad frames are drawn anew from the sound ones about them, noise is smoothed."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from inbetweener.arrays import Bools, Floats
from inbetweener.cleaning.faults import Fault, Tolerance
from inbetweener.cleaning.tracks import Track, difference, plus, tracks_of, write
from inbetweener.rig import Rig

LONGEST_SMOOTHING = 0.2
"""Seconds over which noise is smoothed at most: swifter motion would go with it."""
FARTHEST = 2.5
"""Radians over which a curve is laid through a turn; beyond, it is turned the shorter way at one pace."""


def mended(
    rig: Rig, channels: Floats, faults: Iterable[Fault], rate: float, *, tolerance: Tolerance | None = None
) -> Floats:
    """Samples (F, C) with the faults mended; everything else stays to the bit."""
    limits = tolerance or Tolerance()
    made = channels.copy()
    listed: dict[tuple[str, bool], list[Fault]] = {}
    for fault in faults:
        listed.setdefault((fault.joint, fault.turns), []).append(fault)
    for track in tracks_of(rig, channels):
        own = listed.get((rig.joints[track.joint].name, track.turns))
        if own:
            changed = mended_track(track, own, rate, limits.turn if track.turns else limits.shift)
            frames = np.flatnonzero((changed.states != track.states).any(axis=1))
            if len(frames):
                write(rig, made, changed, frames)
    return made


def mended_track(track: Track, faults: Sequence[Fault], rate: float, noise: float) -> Track:
    """A track without its faults, of which those that stand alone go first: noise is measured on sound frames."""
    states = track.states.copy()
    bad = np.zeros(len(states), bool)
    for fault in faults:
        if fault.kind != "jitter":
            bad[fault.first : fault.last + 1] = True
    _bridge(states, bad)
    for fault in faults:
        if fault.kind == "jitter":
            _smooth(states, fault, rate, noise)
    return replace(track, states=states)


def _bridge(states: Floats, bad: Bools) -> None:
    """Draw bad frames anew, in place: cubics that leave and meet the sound frames at their own pace."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], bad, [False]]).astype(int)))
    for first, stop in zip(edges[::2], edges[1::2], strict=True):
        before, after = int(first) - 1, int(stop)
        if before < 0 or after >= len(states):
            # At an end there is nothing to meet: the nearest sound frame is held.
            sound = after if before < 0 else before
            if 0 <= sound < len(states):
                states[first:stop] = states[sound]
            continue
        origin, count = states[before], after - before
        whole = difference(origin, states[after])
        share = (np.arange(1, count) / count)[:, None]
        way = share * whole
        if states.shape[1] == 3 or np.linalg.norm(whole) < FARTHEST:
            leave = _pace(states, bad, before, -1) * count
            meet = _pace(states, bad, after, 1) * count
            rest = share - 1.0
            cubic = share * rest**2 * leave + share**2 * (3 - 2 * share) * whole + share**2 * rest * meet
            # Over many frames slopes tell less and less; the straight way more.
            trust = 1.0 / (1.0 + (count / 24.0) ** 2)
            way = trust * cubic + (1.0 - trust) * way
        states[first:stop] = plus(np.repeat(origin[None], count - 1, 0), way)


def _pace(states: Floats, bad: Bools, at: int, side: int) -> Floats:
    """The mean step (3,) of up to three sound frames on one side of a frame; none where there are no two."""
    steps: list[Floats] = []
    frame = at
    while len(steps) < 3 and 0 <= frame + side < len(states) and not bad[frame + side]:
        first, second = sorted((frame, frame + side))
        steps.append(difference(states[first], states[second]))
        frame += side
    return np.mean(steps, axis=0) if steps else np.zeros(3)


def _smooth(states: Floats, fault: Fault, rate: float, noise: float) -> None:
    """Lay parabolas through a noisy stretch, in place, over as many frames as bring its noise down to `noise`.

    A parabola over n frames leaves 9/(4n) of the noise's variance at its middle (Savitzky and Golay 1964).
    """
    wanted = 2.25 * (fault.size / noise) ** 2
    half = int(np.clip(np.ceil(wanted / 2), 2, max(2, round(LONGEST_SMOOTHING * rate / 2))))
    original = states.copy()
    for frame in range(fault.first, fault.last + 1):
        reach = min(half, frame, len(states) - 1 - frame)
        # Towards the ends of the stretch less and less, so that it goes over into what is left as it is.
        reach = min(reach, 1 + frame - fault.first, 1 + fault.last - frame) if reach else 0
        if reach < 2:
            continue
        at = np.arange(-reach, reach + 1)
        about = difference(np.repeat(original[frame][None], len(at), 0), original[frame + at])
        squares = at.astype(float) ** 2
        count, second, fourth = len(at), squares.sum(), (squares**2).sum()
        weights = (fourth - second * squares) / (count * fourth - second**2)
        states[frame] = plus(original[frame], weights @ about)

"""Faults of captured motion: flips, spikes, gaps and jitter, measured against what the motion around them does.

All is relative to medians of the neighbourhood, which a few bad frames do not move; a fast motion has large steps all
around, a fault has large ones alone.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.cleaning.tracks import Track, difference, plus, tracks_of
from inbetweener.rig import Rig, chains

Kind = Literal["flip", "spike", "gap", "jitter"]
KINDS: tuple[Kind, ...] = ("flip", "spike", "gap", "jitter")

LONGEST_FLIP = 0.05
"""Seconds; what lasts longer may be meant."""
OUTSTANDING = 10.0
"""Times the usual change of pace about a fault, which its jumps must exceed."""
AT_ONCE = 0.8
"""The share of a fault's size that its first and its last step have each."""
LEAST_TURN, LEAST_SHIFT = np.radians(5.0), 0.01
"""Jumps that count at all: radians, and shares of the body's size."""
LONGEST_GAP = 1.0
"""Seconds that a joint may be lost for; who stands longer stands."""
LEAST_GAP = 3
"""Steps without any motion; fewer are animation on twos."""
WINDOW = 0.4
"""Seconds over which noise is measured."""
BESIDE = 0.25
"""The share of the mean step that noise must have: a tenth of a swift motion's pace is no fault."""
ALTERNATES = -0.5
"""Correlation of a change of pace with the next: −2/3 for noise alone, near one for motion."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """The noise that may stay: radians, and metres."""

    turn: float = float(np.radians(1.0))
    shift: float = 0.003


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a joint from one frame to another, both included; `size` in radians or metres."""

    joint: str
    kind: Kind
    first: int
    last: int
    size: float
    turns: bool

    @property
    def frames(self) -> str:
        """The frame, or the first and the last."""
        return f"{self.first}" if self.first == self.last else f"{self.first}–{self.last}"

    @property
    def size_text(self) -> str:
        """As people say it."""
        return f"{np.degrees(self.size):.3g}°" if self.turns else f"{1000 * self.size:.3g} mm"

    def __str__(self) -> str:
        return f"{self.joint}: {self.kind} of {self.size_text} at {self.frames}"


def find_faults(
    rig: Rig, channels: Floats, rate: float, *, kinds: Iterable[Kind] = KINDS, tolerance: Tolerance | None = None
) -> tuple[Fault, ...]:
    """All faults in samples (F, C) at `rate` frames a second, in the order of joints and frames."""
    limits, size, wanted = tolerance or Tolerance(), chains.size(rig), set(kinds)
    found: list[Fault] = []
    for track in tracks_of(rig, channels):
        least = LEAST_TURN if track.turns else LEAST_SHIFT * size
        most = limits.turn if track.turns else limits.shift
        found += faults_of(track, rig.joints[track.joint].name, rate, least, most, wanted)
    return tuple(found)


def faults_of(track: Track, name: str, rate: float, least: float, noise: float, kinds: set[Kind]) -> list[Fault]:
    """The faults of one track; jumps below `least` and noise below `noise` are none."""
    states = track.states
    if len(states) < 8 or not _moves(states):
        return []
    sound = np.ones(len(states), bool)
    found: list[Fault] = []
    gaps = _gaps(states, rate, least)
    for first, last, size in gaps:
        sound[first : last + 1] = False
        found.append(Fault(name, "gap", first, last, size, track.turns))
    jump: Kind = "flip" if track.turns else "spike"
    for first, last, size in _jumps(states, rate, least):
        if sound[first : last + 1].all():
            sound[first : last + 1] = False
            found.append(Fault(name, jump, first, last, size, track.turns))
    for first, last, size in _jitter(states, rate, noise):
        found.append(Fault(name, "jitter", first, last, size, track.turns))
    return sorted((each for each in found if each.kind in kinds), key=lambda each: (each.first, each.last))


def _moves(states: Floats) -> bool:
    return bool((states != states[0]).any())


def _steps(states: Floats) -> Floats:
    return difference(states[:-1], states[1:])


def _about(values: Floats, rate: float) -> Floats:
    """The median about every value."""
    from scipy.ndimage import median_filter

    return median_filter(values, size=2 * max(6, round(0.1 * rate)) + 1, mode="nearest")


def _jumps(states: Floats, rate: float, least: float) -> list[tuple[int, int, float]]:
    """Runs of few frames that the motion leaves for and comes back from at once: first, last, how far off."""
    steps = _steps(states)
    pace = np.linalg.norm(steps, axis=1)
    usual_pace = _about(pace, rate)
    usual_change = _about(np.linalg.norm(np.diff(steps, axis=0), axis=1), rate)
    taken = np.zeros(len(states), bool)
    found = []
    for count in range(1, max(3, round(LONGEST_FLIP * rate)) + 1):
        firsts = np.arange(1, len(states) - count)
        if len(firsts) == 0:
            break
        bridge = difference(states[firsts - 1], states[firsts + count]) / (count + 1)
        there, back = steps[firsts - 1] - bridge, steps[firsts + count - 1] - bridge
        far, near = np.linalg.norm(there, axis=1), np.linalg.norm(back, axis=1)
        smaller = np.minimum(far, near)
        limit = np.maximum(least, OUTSTANDING * usual_change[np.clip(firsts - 1, 0, len(usual_change) - 1)])
        bridged = np.linalg.norm(bridge, axis=1)
        fits = bridged < np.maximum(2.0 * usual_pace[firsts - 1], 0.25 * smaller)
        opposite = (there * back).sum(axis=1) < -0.5 * far * near
        for n in np.flatnonzero((smaller > limit) & fits & (opposite | (smaller > 1.5))):
            first, last = int(firsts[n]), int(firsts[n]) + count - 1
            shares = np.arange(1, count + 1)[:, None] * bridge[n]
            off = difference(plus(np.repeat(states[first - 1][None], count, 0), shares), states[first : last + 1])
            size = float(np.linalg.norm(off, axis=1).max())
            # What goes there and back by and by is a motion, however short.
            if taken[first - 1 : last + 2].any() or smaller[n] < AT_ONCE * size:
                continue
            taken[first : last + 1] = True
            found.append((first, last, size))
    return found


def _gaps(states: Floats, rate: float, least: float) -> list[tuple[int, int, float]]:
    """Frames that repeat the one before while the motion goes on: it is elsewhere when they end."""
    pace = np.linalg.norm(_steps(states), axis=1)
    still = pace <= 1e-9 + 1e-3 * np.median(pace)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], still, [False]]).astype(int)))
    found = []
    side = max(4, round(0.1 * rate))
    for start, stop in zip(edges[::2], edges[1::2], strict=True):
        # Steps start … stop − 1 stand still, so frames start + 1 … stop repeat frame `start`.
        count = int(stop - start)
        if not LEAST_GAP <= count <= LONGEST_GAP * rate or start < 2 or stop > len(pace) - 2:
            continue
        before, after = pace[max(0, start - side) : start], pace[stop + 1 : stop + 1 + side]
        usual = min(float(np.median(before)), float(np.median(after)))
        leap = float(pace[stop])
        if usual == 0 or leap <= max(2.0 * np.median(before), 2.0 * np.median(after), 0.2 * least):
            continue
        # Some programs write noughts, or another state, for what is lost: then the first frame is bad as well.
        leapt = min(leap, float(pace[start - 1])) > max(least, 4.0 * np.median(before))
        if leapt or not _is_limit(states, int(start), int(stop)):
            found.append((int(start) + (0 if leapt else 1), int(stop), leap))
    return found


def _is_limit(states: Floats, first: int, last: int) -> bool:
    """Whether a held state is one that the joint has again elsewhere, or its zero: a knee that is straight."""
    if states.shape[1] == 4 and abs(states[first, 0]) > 1 - 1e-12:
        return True
    outside = np.concatenate([states[: max(first - 1, 0)], states[last + 2 :]])
    return int((np.linalg.norm(difference(states[first][None], outside), axis=1) < 1e-7).sum()) >= LEAST_GAP


def _jitter(states: Floats, rate: float, noise: float) -> list[tuple[int, int, float]]:
    """Stretches where the pace changes to and fro from frame to frame by more than the noise that may stay."""
    steps = _steps(states)
    changes = np.diff(steps, axis=0)
    lengths = np.linalg.norm(changes, axis=1)
    # A few large ones, of flips or of jumps that stay, are no noise: they are cut down to what is usual.
    usual = np.maximum(3.0 * _about(lengths, rate), 1e-12)
    changes = changes * np.minimum(1.0, usual / np.maximum(lengths, 1e-300))[:, None]
    count = max(24, round(WINDOW * rate))
    if len(changes) <= count:
        return []
    squares, products = (changes**2).sum(axis=1), (changes[1:] * changes[:-1]).sum(axis=1)
    power = np.convolve(squares, np.ones(count), "valid")[:-1]
    correlation = np.convolve(products, np.ones(count), "valid") / np.maximum(power, 1e-300)
    # A change of pace is x₊ − 2x + x₋, so it has six times the noise's variance; three axes share it.
    level = np.sqrt(power / count / 6.0 / 3.0)
    pace = np.convolve(np.minimum(np.linalg.norm(steps, axis=1), 1.0), np.ones(count) / count, "valid")[: len(level)]
    noisy = (correlation < ALTERNATES) & (level > np.maximum(noise, BESIDE * pace))
    frames = np.zeros(len(states), bool)
    worst = np.zeros(len(states))
    for n in np.flatnonzero(noisy):
        frames[n + 1 : n + 1 + count] = True
        worst[n + 1 : n + 1 + count] = np.maximum(worst[n + 1 : n + 1 + count], level[n])
    edges = np.flatnonzero(np.diff(np.concatenate([[False], frames, [False]]).astype(int)))
    return [(int(a), int(b) - 1, float(worst[a:b].max())) for a, b in zip(edges[::2], edges[1::2], strict=True)]

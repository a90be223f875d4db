"""Curves that follow something which is known at every time: through its values and slopes at keys."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Bools, Floats
from inbetweener.curves.curve import Curve
from inbetweener.curves.edit import insert_key
from inbetweener.curves.key import BEZIER, CONSTANT, LINEAR

T = TypeVar("T", np.float64, np.uint8, np.bool_)
Read = Callable[[Floats], Floats]
"""Values (T, c) at times (T,)."""

ASIDE = 1e-4
"""Of the shortest segment: how far beside a key its slopes are looked at."""
SMOOTH = 1e-3
"""Slopes that differ by less, relative to their size, are one."""
LEAP = 1e-5
"""A value that changes by more just before a key, relative to how much it changes at all, leaps there."""


def traced(read: Read, times: Floats) -> list[Curve]:
    """Curves with keys at the times (n,), each with the slope that there is before it and the one after it.

    Where a value leaps, as after a step, the segment that leads there is a step too.
    """
    values = read(times)
    if len(times) == 1:
        return [Curve.constant(float(value), float(times[0])) for value in values[0]]
    spans = np.diff(times)
    h = ASIDE * float(spans.min())
    before, twice_before, after, twice_after = (read(times + step * h) for step in (-1.0, -2.0, 1.0, 2.0))
    left, right = (before - twice_before) / h, (twice_after - after) / h
    # The value at a key is the one after it.
    leaps = np.abs(values - read(times - 1e-3 * h)) > LEAP * (0.1 + np.ptp(values, axis=0))
    smooth = ~leaps & (np.abs(left - right) <= SMOOTH * np.maximum(np.abs(left), np.abs(right)) + 1e-9)
    left = np.where(smooth, 0.5 * (left + right), left)
    right = np.where(smooth, left, right)
    thirds_in, thirds_out = np.append(spans[:1], spans) / 3.0, np.append(spans, spans[-1:]) / 3.0
    # Where something turns sharply within a segment, slopes at its ends mislead: a line may be nearer half-way.
    line, off = 0.5 * (values[:-1] + values[1:]), 0.125 * spans[:, None] * (right[:-1] - left[1:])
    rest = read(times[:-1] + 0.5 * spans) - line
    straight = np.linalg.norm(rest, axis=1) < np.linalg.norm(rest - off, axis=1)
    kind = np.where(np.append(straight, False), LINEAR, BEZIER)
    made = []
    for c in range(values.shape[1]):
        kinds = np.where(np.append(leaps[1:, c], False), CONSTANT, kind).astype(np.uint8)
        ins = np.stack([thirds_in, thirds_in * left[:, c]], axis=1)
        outs = np.stack([thirds_out, thirds_out * right[:, c]], axis=1)
        made.append(Curve(times, values[:, c], ins, outs, kinds, smooth[:, c]))
    return made


def traced_within(
    read: Read, times: Floats, frames: Floats, error: Callable[[list[Curve]], Floats], tolerance: float
) -> tuple[list[Curve], int]:
    """Curves with keys at the times, and at as few of the frames (F,) besides as keep the error (F,) there below.

    Also how many those are. Where a frame has a key there is no error to speak of.
    """
    keys, count = times, len(times)
    while True:
        made = traced(read, keys)
        missed = error(made)
        # A key is as good as it gets.
        bad = (missed > tolerance) & _apart(frames, keys)
        if not bad.any():
            return made, len(keys) - count
        segment = np.searchsorted(keys, frames)
        worst = [
            np.flatnonzero(bad & (segment == each))[np.argmax(missed[bad & (segment == each)])]
            for each in np.unique(segment[bad])
        ]
        keys = np.sort(np.concatenate([keys, frames[worst]]))


def _apart(frames: Floats, keys: Floats) -> Bools:
    """Which frames are not keys."""
    at = np.searchsorted(keys, frames)
    before, after = keys[np.maximum(at - 1, 0)], keys[np.minimum(at, len(keys) - 1)]
    return np.minimum(np.abs(frames - before), np.abs(frames - after)) > 1e-6


def spliced(old: Curve, piece: Curve, margin: float) -> Curve:
    """A curve with a piece of another one where that has its keys; beyond a margin in seconds it is as it was."""
    start, end = float(piece.times[0]) - margin, float(piece.times[-1]) + margin
    for time in (start, end):
        if np.abs(old.times - time).min() > 1e-9:
            old = insert_key(old, time).curve
    first, last = np.flatnonzero(old.times < start + 1e-9), np.flatnonzero(old.times > end - 1e-9)
    kinds, own = old.interpolations.copy(), piece.interpolations.copy()
    # Within the margin one leads into the other, unless it is a step.
    kinds[first[-1]] = CONSTANT if kinds[first[-1]] == CONSTANT else LINEAR
    own[-1] = CONSTANT if own[-1] == CONSTANT else LINEAR

    def joined(before: npt.NDArray[T], between: npt.NDArray[T]) -> npt.NDArray[T]:
        return np.concatenate([before[first], between, before[last]])

    return Curve(
        joined(old.times, piece.times), joined(old.values, piece.values), joined(old.ins, piece.ins),
        joined(old.outs, piece.outs), joined(kinds, own), joined(old.tied, piece.tied),
    )  # fmt: skip

"""What a curve does before its first key and after its last: files may repeat it, ours holds."""

from dataclasses import dataclass, replace

import numpy as np

from inbetweener.curves import BEZIER, CONSTANT, LINEAR, Curve
from inbetweener.formats.notes import Source

REPEATED, RELATIVE, MIRRORED, STRAIGHT, HELD = "R", "A", "M", "K", "C"
MOST = 1000
"""Times that a curve is repeated on either side."""
_HAIR = 1e-7
"""Seconds between the end of one turn and the beginning of the next where they do not meet."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Which kind, how often at most (−1: for ever), and the slope where that is not the curve's own."""

    kind: str = HELD
    count: int = -1
    slope: float | None = None


def extended(curve: Curve, rules: tuple[Rule, Rule], start: float, end: float, place: str, source: Source) -> Curve:
    """The curve with as many of its repetitions as show from `start` to `end`, by the rules before and after it."""
    before, after = rules
    first, last = float(curve.times[0]), float(curve.times[-1])
    length = last - first
    pieces = [curve]
    for sign, rule, gap in ((-1, before, first - start), (1, after, end - last)):
        kind, count = rule.kind, rule.count
        if kind == HELD or gap <= 1e-9 or (len(curve) < 2 and rule.slope is None):
            continue
        if kind == STRAIGHT:
            pieces = _straight(curve, pieces, sign, gap, rule.slope)
            continue
        turns = int(np.ceil(gap / length - 1e-9))
        wanted = turns if count < 0 else min(turns, count)
        if wanted > MOST:
            source.note(place, f"is repeated {wanted} times; {MOST} are kept")
            wanted = MOST
        source.spend(100 * len(curve) * wanted, place)
        rise = float(curve.values[-1] - curve.values[0]) if kind == RELATIVE else 0.0
        for n in range(1, wanted + 1):
            turned = _mirrored(curve) if kind == MIRRORED and n % 2 else curve
            moved = replace(turned, times=turned.times + sign * n * length, values=turned.values + sign * n * rise)
            pieces = [*pieces, moved] if sign > 0 else [moved, *pieces]
    made = pieces[0]
    for piece in pieces[1:]:
        made = _joined(made, piece)
    return made


def _straight(curve: Curve, pieces: list[Curve], sign: int, gap: float, slope: float | None) -> list[Curve]:
    """On along a slope, or that of the outermost segment's tangent."""
    if slope is None:
        kind, step = int(curve.interpolations[0 if sign < 0 else -2]), np.diff(curve.times)[0 if sign < 0 else -1]
        width, height = curve.outs[0] if sign < 0 else curve.ins[-1]
        if kind == LINEAR:
            width, height = step, np.diff(curve.values)[0 if sign < 0 else -1]
        slope = height / width if kind != CONSTANT and width > 0 else 0.0
    at, value = (curve.times[0], curve.values[0]) if sign < 0 else (curve.times[-1], curve.values[-1])
    ends = [(at, value), (at + sign * gap, value + slope * sign * gap)]
    line = Curve.sampled(*np.array(sorted(ends)).T)
    return [line, *pieces] if sign < 0 else [*pieces, line]


def _mirrored(curve: Curve) -> Curve:
    """Backwards in the same stretch of time; what was held is held until it leaps."""
    kinds = np.append(curve.interpolations[:-1][::-1], BEZIER)
    values = curve.values[::-1].copy()
    held = kinds[:-1] == CONSTANT
    values[:-1][held] = values[1:][held]
    flip = np.array([1.0, -1.0])
    times = curve.times[0] + curve.times[-1] - curve.times[::-1]
    return Curve(times, values, curve.outs[::-1] * flip, curve.ins[::-1] * flip, kinds, curve.tied[::-1])


def _joined(one: Curve, two: Curve) -> Curve:
    """One curve after the other, the last key of one where the first of the other is."""
    meets = abs(one.values[-1] - two.values[0]) <= 1e-9 * (1 + abs(two.values[0]))
    parts = {name: getattr(one, name).copy() for name in ("times", "values", "ins", "outs", "interpolations", "tied")}
    if meets:
        parts["outs"][-1], parts["interpolations"][-1] = two.outs[0], two.interpolations[0]
        parts["tied"][-1] = False
        rest = slice(1, None)
        parts["times"][-1] = two.times[0]
    else:
        parts["times"][-1] = max(two.times[0] - _HAIR, 0.5 * (one.times[-2] + two.times[0]))
        parts["interpolations"][-1] = CONSTANT
        rest = slice(0, None)
    return Curve(*(np.concatenate([part, getattr(two, name)[rest]]) for name, part in parts.items()))

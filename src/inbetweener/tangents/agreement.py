"""Contacts and key poses: tangents cannot move a pose that is keyed, so a contact can only be as good as its keys.

Where all keyed poses of a contact put its point in one place, it is held there. Where they disagree, it is led from
one to the next and rests at each, as its neighbours may be contacts that do hold; the disagreement can be asked for,
and `posing.snap` brings one pose to the other.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Bools, Floats
from inbetweener.curves import BEZIER, Curve
from inbetweener.maths import quaternions
from inbetweener.motion import Constraint, Motion


@dataclass(frozen=True, slots=True)
class Disagreement:
    """How far apart the key poses of a contact are: metres and radians from its start, and at which key most."""

    distance: float
    turn: float
    time: float


def disagreement(motion: Motion, rule: Constraint) -> Disagreement:
    """The largest difference between a contact's start and any pose within it that no tangent can change.

    None in what keeps the state of each moment.
    """
    if not rule.stands:
        return Disagreement(0.0, 0.0, rule.start)
    moving = {motion.rig.channels[c].name for c in rule.channels(motion.rig)}
    curves = [curve for source in motion.sources for name, curve in source.items() if name in moving]
    times = np.array([rule.start, *fixed_times(curves, rule.start, rule.end)])
    positions, turns = rule.states(motion, times)
    distances = np.linalg.norm(positions - positions[0], axis=1) * rule.wants[0]
    angles = angles_between(turns, turns[0]) * rule.wants[1]
    return Disagreement(float(distances.max()), float(angles.max()), float(times[np.argmax(distances + angles)]))


def fixed_times(curves: Iterable[Curve], start: float, end: float) -> list[float]:
    """Key times from start to end at which no tangent of any of the curves has a say."""
    listed = list(curves)
    keyed = [c.times[(c.times >= start) & (c.times <= end)] for c in listed]
    times = np.unique(np.concatenate([*keyed, [start, end]]))
    for curve in listed:
        times = times[_fixed(curve, times)]
    return [float(time) for time in times]


def targets(
    motion: Motion, rule: Constraint, curves: Sequence[Curve], span: tuple[float, float], times: Floats
) -> tuple[Floats, Floats]:
    """Where a constraint's point should be (T, 3) and how turned (T, 3, 3), while `curves` change within `span`."""
    if not rule.stands:
        return rule.states(motion, times)
    start, end = max(rule.start, span[0]), min(rule.end, span[1])
    anchors = np.array(sorted({start, *fixed_times(curves, start, end), *([end] if end == span[1] else [])}))
    positions, turns = rule.states(motion, anchors)
    if len(anchors) == 1:
        return np.repeat(positions, len(times), axis=0), np.repeat(turns, len(times), axis=0)
    left = np.clip(np.searchsorted(anchors, times, side="right") - 1, 0, len(anchors) - 2)
    share = np.clip((times - anchors[left]) / (anchors[left + 1] - anchors[left]), 0.0, 1.0)
    share = share * share * (3.0 - 2.0 * share)
    rotations = quaternions.from_matrix(turns)
    return (
        positions[left] + share[:, None] * (positions[left + 1] - positions[left]),
        quaternions.to_matrix(quaternions.slerp(rotations[left], rotations[left + 1], share)),
    )


def angles_between(turns: Floats, target: Floats) -> Floats:
    """Angles (T,) in radians between orientations (T, 3, 3) and a target (3, 3) or (T, 3, 3)."""
    # The chord ‖A − B‖ = 2√2 sin(angle / 2) keeps its digits near zero, where the trace loses half of them.
    chord = np.linalg.norm(turns - target, axis=(-2, -1))
    return 2.0 * np.arcsin(np.minimum(1.0, chord / (2.0 * np.sqrt(2.0))))


def _fixed(curve: Curve, times: Floats) -> Bools:
    """(T,) where the curve has a key, or no Bezier segment."""
    after = np.searchsorted(curve.times, times, side="right")
    inside = (after > 0) & (after < len(curve)) & (times > curve.times[0])
    left, right = np.maximum(after - 1, 0), np.minimum(after, len(curve) - 1)
    near = np.minimum(np.abs(times - curve.times[left]), np.abs(times - curve.times[right])) < 1e-9
    return near | ~inside | (curve.interpolations[left] != BEZIER)

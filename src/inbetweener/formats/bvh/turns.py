"""Which Euler order a captured joint gets: the file's own, unless its angles break between frames or wind up.

A frame of capture is a rotation; on the way to the next one it turns straight. The file's angles say the same as long
as they stay clear of the pole of their order. Near it two of them spin for nothing, by half a turn from one frame to
the next, and whatever is read between frames is no pose at all.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, frozen, read_only
from inbetweener.curves import LINEAR, Curve
from inbetweener.formats import reach
from inbetweener.formats.turn_kernels import Turns, lead_straight
from inbetweener.formats.turns import Angles, along_turns, most_keys, within
from inbetweener.maths import euler, quaternions
from inbetweener.maths.euler import ORDERS, Order
from inbetweener.motion import Clip
from inbetweener.rig import Joint, Point, Rig

TOLERANCE = 0.001
"""Metres by which angles may lead anything astray between two frames, or"""
BEND = 0.25
"""of how far an even turn from frame to frame leaves its chord, if that is more and the turn no longer than"""
LONGEST = 0.3
"""radians: at that rate, nobody knows better. Farther off, angles break."""

WINDING = 0.125
"""Keys a frame that one whole turn too many is worth: winding curves are hard to read, more keys hard to edit."""

_SMALLEST = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Turned:
    """How one joint turns: the order of its angles, keys for them, and how many of these lie between frames."""

    order: Order
    curves: list[Curve]
    between: int


def unbroken(rig: Rig, clip: Clip) -> tuple[Rig, Clip, tuple[tuple[str, Order], ...], list[str]]:
    """The same rotations on every frame, in angles that lead straight from one to the next.

    Also the joints that turn in another order now, each with the one that it had, and what to tell of it.
    """
    allowed = allowances(rig.joints, rig.points)
    curves: dict[str, Curve] = {}
    joints = list(rig.joints)
    between = 0
    for j, joint in enumerate(rig.joints):
        own = [clip.curves.get(f"{joint.name}.{dof}") for dof in ("rx", "ry", "rz")]
        times = next((curve.times for curve in own if curve is not None and len(curve) > 1), None)
        if times is None or any(curve is None for curve in own):
            continue
        angles = np.stack([np.broadcast_to(curve.values, times.shape) for curve in own if curve is not None], axis=1)
        found = turned(times, angles, joint.order, float(allowed[j]))
        if found is not None:
            joints[j] = replace(joint, order=found.order)
            curves.update(zip((f"{joint.name}.{dof}" for dof in ("rx", "ry", "rz")), found.curves, strict=True))
            between += found.between
    if not curves:
        return rig, clip, (), []
    changed = tuple((old.name, old.order) for old, new in zip(rig.joints, joints, strict=True) if old != new)
    told = []
    if changed:
        names = ", ".join(f"{rig.joints[rig.joint_index(name)].name}" for name, _ in changed[:3])
        more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
        told.append(
            f"{names}{more}: angles pass the pole of the file's order and would break between frames; they turn in "
            "another order here, and in the file's own when written back"
        )
    if between:
        told.append(f"{between} keys stand between frames, where no order of angles leads straight on")
    return (
        replace(rig, joints=tuple(joints)),
        replace(clip, curves=clip.curves.replaced(curves)),
        changed,
        told,
    )


def allowances(joints: Sequence[Joint], points: Sequence[Point]) -> Floats:
    """Radians (J,) by which each joint may be off between frames."""
    index = {joint.name: j for j, joint in enumerate(joints)}
    far = np.zeros(len(joints))
    for point in points:
        far[index[point.joint]] = max(far[index[point.joint]], math.hypot(*point.offset))
    lengths = np.array([math.hypot(*joint.rest.translation) if joint.parent >= 0 else 0.0 for joint in joints])
    every: Bools = np.ones(len(joints), np.bool_)
    return reach.Allowance.of(joints, lengths, np.ones(len(joints)), far, every).angles(TOLERANCE, _SMALLEST)


def turned(times: Floats, angles: Floats, order: Order, tolerance: float) -> Turned | None:
    """Another way to write the rotations of a joint whose angles (F, 3) by axis break or wind up; None if they do not.

    The same order if nearest equivalent angles are enough; else that with the fewest keys, first of all the file's own.
    """
    rotations = rotations_of(angles, order)
    if _leads_straight(angles, rotations, order, tolerance):
        return None
    nearest = euler.continuous(angles, order)
    if _leads_straight(nearest, rotations, order, tolerance):
        return Turned(order, [Curve.sampled(times, column) for column in np.ascontiguousarray(nearest.T)], 0)
    values = read_only(np.ascontiguousarray(rotations))
    turns = Turns(times, values, values, values, frozen(np.full(len(times), LINEAR), np.uint8))

    def cost(angles: Angles) -> float:
        return len(angles.times) + WINDING * len(times) * _windings(angles.values)

    made = along_turns(turns, order, tolerance, straight=True)[0]
    if cost(made) > len(times):
        for each in [each for each in ORDERS if each != order]:
            # An order that takes as many keys as the best so far is not followed to its end.
            room = min(math.ceil(cost(made)) - 1, most_keys(turns))
            other = within(room, turns, each, tolerance, straight=True)
            if other is not None and cost(other) < cost(made):
                order, made = each, other
    return Turned(order, made.curves(), len(made.times) - len(times))


def _leads_straight(angles: Floats, rotations: Floats, order: Order, tolerance: float) -> bool:
    """Whether angles that change evenly lead from each rotation (F, 4) to the next without leaving the shorter arc."""
    axes: Ints = np.array(euler.axes(order), np.int64)
    given, wanted = np.ascontiguousarray(angles, np.float64), np.ascontiguousarray(rotations)
    return not _windings(angles) and lead_straight(given, wanted, axes, tolerance, BEND, LONGEST)


def _windings(angles: Floats) -> int:
    """Whole turns that angles (F, 3) go through from end to end of their range, all three together."""
    return int(np.floor(np.ptp(angles, axis=0) / (2.0 * np.pi)).sum())


def rotations_of(angles: Floats, order: Order) -> Floats:
    """Quaternions (F, 4) of angles (F, 3) by axis."""
    whole = np.array([1.0, 0.0, 0.0, 0.0])
    for axis in euler.axes(order):
        whole = quaternions.product(whole, quaternions.from_axis_angle(np.eye(3)[axis], angles[:, axis]))
    return whole

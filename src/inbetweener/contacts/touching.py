"""Which points of a character are likely to touch something: hands and feet, or else what comes near the ground."""

from collections.abc import Sequence

from inbetweener.arrays import Floats
from inbetweener.motion import Motion
from inbetweener.rig import ROOT, Point, Rig, chains
from inbetweener.rig.body_parts import parts

NEAR_GROUND = 0.08
"""A point this near to the lowest one, in heights of the character, may stand on the same ground."""


def touching_points(motion: Motion) -> tuple[Point, ...]:
    """Feet, toes and hands by their names; where no joint has such a name, the ends that come near the ground."""
    named = _named(motion.rig)
    return named or _low_ends(motion)


def lowest_heights(motion: Motion, times: Floats) -> Floats:
    """How high the lowest joint or named point of the body is (T,) at each time."""
    return motion.point_positions(times, _everything(motion.rig))[..., 1].min(axis=1)


def _named(rig: Rig) -> tuple[Point, ...]:
    """Of a hand the wrist; of a foot its toes, or the points that are named on it, or the ankle where that is all."""
    part = parts(rig)
    found: list[Point] = []
    for joint in rig.joints:
        above = None if joint.parent == ROOT else part[rig.joints[joint.parent].name]
        if part[joint.name] == "hand" and above != "hand":
            found.append(Point(joint.name))
        if part[joint.name] == "foot" and above != "foot":
            whole = {joint.name, *(below for below in chains.descendants(rig, joint.name) if part[below] == "foot")}
            toes = [Point(each.name) for each in rig.joints if each.name in whole - {joint.name}]
            marks = [point for point in rig.points if point.joint in whole]
            found += toes or marks or [Point(joint.name)]
    return tuple(found)


def _low_ends(motion: Motion) -> tuple[Point, ...]:
    """Named points on joints without children, or those joints, if they come down to where the body is lowest."""
    rig = motion.rig
    leaves = chains.leaves(rig)
    marks = [point for point in rig.points if point.joint in leaves]
    bare = [Point(name) for name in leaves if name not in {point.joint for point in marks}]
    ends = [*marks, *bare]
    if not ends:
        return ()
    times = motion.clip.frame_times
    heights = motion.point_positions(times, ends)[..., 1]
    near = (heights - lowest_heights(motion, times)[:, None]).min(axis=0) <= NEAR_GROUND * chains.height(rig)
    return tuple(end for end, low in zip(ends, near, strict=True) if low)


def _everything(rig: Rig) -> Sequence[Point]:
    return [*(Point(joint.name) for joint in rig.joints), *rig.points]

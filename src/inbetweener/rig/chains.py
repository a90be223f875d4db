"""Walking the joint tree: paths, chains, bones and how far they reach. Lengths are metres in the rest pose."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.errors import InvalidRig
from inbetweener.maths import transforms
from inbetweener.rig.characters import belongs, characters, part_called
from inbetweener.rig.joint import ROOT
from inbetweener.rig.rig import Rig


def path_from_root(rig: Rig, joint: str) -> tuple[str, ...]:
    """The joints from the root down to `joint`, both included."""
    index = rig.joint_index(joint)
    return tuple(rig.joints[each].name for each in (*reversed(above(rig, index)), index))


def above(rig: Rig, joint: int) -> list[int]:
    """All joints that carry a joint, by number, the nearest first."""
    found, index = [], rig.joints[joint].parent
    while index != ROOT:
        found.append(index)
        index = rig.joints[index].parent
    return found


def chain(rig: Rig, start: str, end: str) -> tuple[str, ...]:
    """The joints from `start` to `end`, both included: up to their common ancestor where need be, then down."""
    up, down = path_from_root(rig, start), path_from_root(rig, end)
    shared = 0
    while shared < min(len(up), len(down)) and up[shared] == down[shared]:
        shared += 1
    if shared == 0:
        raise InvalidRig(f"no chain leads from {start!r} to {end!r}: they hang on different roots")
    return (*reversed(up[shared - 1 :]), *down[shared:])


def children(rig: Rig, joint: str) -> tuple[str, ...]:
    """The joints directly below `joint`."""
    index = rig.joint_index(joint)
    return tuple(each.name for each in rig.joints if each.parent == index)


def descendants(rig: Rig, joint: str) -> tuple[str, ...]:
    """All joints below `joint`, in the rig's order."""
    below = {rig.joint_index(joint)}
    for index, each in enumerate(rig.joints):
        if each.parent in below:
            below.add(index)
    below.discard(rig.joint_index(joint))
    return tuple(rig.joints[index].name for index in sorted(below))


def leaves(rig: Rig, joint: str | None = None) -> tuple[str, ...]:
    """The joints without children: all of them, or those at or below `joint`."""
    parents = {each.parent for each in rig.joints}
    ends = [each.name for index, each in enumerate(rig.joints) if index not in parents]
    if joint is None:
        return tuple(ends)
    within = {joint, *descendants(rig, joint)}
    return tuple(name for name in ends if name in within)


def ends(rig: Rig) -> tuple[Floats, ...]:
    """For each joint, where its bones end (n, 3) in its own frame: its children at rest, or else its named points."""
    found: list[list[tuple[float, float, float]]] = [[] for _ in rig.joints]
    for joint in rig.joints:
        if joint.parent != ROOT:
            found[joint.parent].append(joint.rest.translation)
    parents = {joint.parent for joint in rig.joints}
    for point in rig.points:
        index = rig.joint_index(point.joint)
        # End sites, finger tips, a tail's tip: on a leaf they say where the last bone ends.
        if index not in parents:
            found[index].append(point.offset)
    return tuple(np.array(each, np.float64).reshape(-1, 3) for each in found)


def tip(rig: Rig, joint: str) -> Floats:
    """The end (3,) of a joint's bone in its own frame: the mean of its ends; its origin when there is none."""
    return _tip(ends(rig)[rig.joint_index(joint)])


def _tip(ends_: Floats) -> Floats:
    return ends_.mean(axis=0) if len(ends_) else np.zeros(3)


def reaches(rig: Rig) -> Floats:
    """For each joint (J,), how far the farthest end at or below it gets from it when all is stretched out."""
    if not rig.joints:
        return np.zeros(0)
    world = rig.rest_world()
    beyond = np.array(
        [
            np.linalg.norm(linear @ e.T, axis=0).max(initial=0.0)
            for linear, e in zip(world[:, :, :3], ends(rig), strict=True)
        ]
    )
    # Children come after their parents, so one sweep backwards adds the bones up.
    for index in range(len(rig.joints) - 1, 0, -1):
        parent = rig.joints[index].parent
        if parent != ROOT:
            bone = np.linalg.norm(world[index, :, 3] - world[parent, :, 3])
            beyond[parent] = max(beyond[parent], bone + beyond[index])
    return beyond


def reach(rig: Rig, joint: str) -> float:
    """How far the farthest end at or below `joint` gets from it when all is stretched out."""
    return float(reaches(rig)[rig.joint_index(joint)])


def height(rig: Rig) -> float:
    """From the lowest to the highest joint, bone end or named point of the rest pose."""
    if not rig.joints:
        return 0.0
    world = rig.rest_world()
    joints, offsets = rig.point_arrays(rig.points)
    points = transforms.apply(world[joints], offsets[:, None])[:, 0]
    heights = np.concatenate([world[:, 1, 3], points[:, 1]])
    return float(heights.max() - heights.min())


def size(rig: Rig) -> float:
    """The length by which tolerances and steps are measured: the height, or half the reach of one that lies flat.

    A rig that is told its size has that.
    """
    if rig.told_size is not None:
        return rig.told_size
    several = characters(rig)
    if len(several) > 1:
        return max(size(part_called(rig, belongs(rig, each.name))) for each in several)
    return max(height(rig), 0.5 * float(reaches(rig).max(initial=0.0))) or 1.0

"""A skeleton to look at: a tapered bone from each joint to its children, and a ball on every joint."""

from itertools import pairwise

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.maths import dual_quaternions, transforms
from inbetweener.render import colour, shapes
from inbetweener.render.batch import EMPTY, Batch, joined
from inbetweener.rig import ROOT, Rig, bent

THICKNESS = 0.1
"""Of a bone, relative to its length; held between the two shares of the character's size below."""
THINNEST, THICKEST = 0.003, 0.017


def skeleton(rig: Rig, channels: Floats, world_from_joint: Floats, size: float) -> Batch:
    """The joints (J, 3, 4) of one pose (C,); `size` is about the size of the character in metres."""
    if not rig.joints:
        return EMPTY
    starts, tips, owners = _spans(rig, world_from_joint, bent_bones(rig, channels, world_from_joint))
    lengths = np.linalg.norm(tips - starts, axis=-1)
    drawn = lengths > 1e-3 * size
    starts, tips, owners, lengths = starts[drawn], tips[drawn], owners[drawn], lengths[drawn]
    thick = np.clip(THICKNESS * lengths, THINNEST * size, THICKEST * size)
    directions = (tips - starts) / lengths[:, None]
    bones = shapes.copies(shapes.bone(), _laid_along(directions, lengths, thick), starts)
    # A joint is a ball as thick as the thickest bone that starts in it.
    radii = np.full(len(rig.joints), 1.2 * THINNEST * size)
    np.maximum.at(radii, owners, 0.75 * thick)
    balls = shapes.copies(shapes.ball(), radii[:, None, None] * np.eye(3), world_from_joint[..., 3])
    return joined(
        [
            Batch.painted(*bones, colour.linear(colour.BONE)),
            Batch.painted(*balls, colour.linear(colour.JOINT)),
        ]
    )


def bent_bones(rig: Rig, channels: Floats, world_from_joint: Floats) -> dict[int, Floats]:
    """By bent joint: the places (S + 1, 3) between the steps of its bone, from start to end, in one pose (C,)."""
    found = {}
    for name, screws in bent.screws(rig, channels[None]).items():
        joint, steps = rig.joint_index(name), dual_quaternions.exponential(screws[0])
        end, move = rig.bones.ends[joint], np.array(dual_quaternions.IDENTITY)
        places = [np.zeros(3)]
        for number, step in enumerate(steps, start=1):
            move = dual_quaternions.product(move, step)
            places.append(dual_quaternions.apply(move, end * number / len(steps)))
        found[joint] = transforms.apply(world_from_joint[joint], np.array(places))
    return found


def _spans(rig: Rig, world_from_joint: Floats, curved: dict[int, Floats]) -> tuple[Floats, Floats, Ints]:
    """Start (n, 3), tip (n, 3) and owning joint (n,) of every bone.

    The last joint of a limb has no child; where a point is named on it, such as the end site of a BVH file, the bone
    reaches to that. A curved bone is drawn by its pieces, and what hangs from it starts where it hangs.
    """
    origins = world_from_joint[..., 3]
    spans: list[tuple[Floats, Floats, int]] = []
    for joint, each in enumerate(rig.joints):
        if each.parent == ROOT:
            continue
        start = origins[each.parent]
        if (places := curved.get(each.parent)) is not None:
            steps = len(places) - 1
            start = places[bent.steps_passed(float(rig.bones.attachments[joint]), steps)]
        spans.append((start, origins[joint], each.parent))
    leaves = set(range(len(rig.joints))) - {joint.parent for joint in rig.joints}
    for point in rig.points:
        joint = rig.joint_index(point.joint)
        if joint in leaves and joint not in curved and any(point.offset):
            spans.append((origins[joint], transforms.apply(world_from_joint[joint], [point.offset])[0], joint))
    for joint, places in curved.items():
        spans += [(a, b, joint) for a, b in pairwise(places)]
    starts, tips = (np.array([span[side] for span in spans]).reshape(-1, 3) for side in (0, 1))
    return starts, tips, np.array([owner for _, _, owner in spans], np.int64)


def _laid_along(directions: Floats, lengths: Floats, thick: Floats) -> Floats:
    """Matrices (n, 3, 3) that lay the unit bone along each direction."""
    helper = np.eye(3)[np.argmin(np.abs(directions), axis=-1)]
    x = np.cross(helper, directions)
    x /= np.linalg.norm(x, axis=-1, keepdims=True)
    z = np.cross(x, directions)
    return np.stack([x * thick[:, None], directions * lengths[:, None], z * thick[:, None]], axis=-1)

"""A skeleton to look at: a tapered bone from each joint to its children, and a ball on every joint."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.maths import transforms
from inbetweener.render import colour, shapes
from inbetweener.render.batch import EMPTY, Batch, joined
from inbetweener.rig import ROOT, Rig

THICKNESS = 0.1
"""Of a bone, relative to its length; held between the two shares of the character's size below."""
THINNEST, THICKEST = 0.003, 0.017


def skeleton(rig: Rig, world_from_joint: Floats, size: float) -> Batch:
    """The joints (J, 3, 4) of one pose; `size` is about the size of the character in metres."""
    if not rig.joints:
        return EMPTY
    starts, tips, owners = _spans(rig, world_from_joint)
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


def _spans(rig: Rig, world_from_joint: Floats) -> tuple[Floats, Floats, Floats]:
    """Start (n, 3), tip (n, 3) and owning joint (n,) of every bone.

    The last joint of a limb has no child; where a point is named on it, such as the end site of a BVH file, the bone
    reaches to that.
    """
    origins = world_from_joint[..., 3]
    parents = np.array([joint.parent for joint in rig.joints])
    children = np.flatnonzero(parents != ROOT)
    leaves = set(range(len(parents))) - set(parents.tolist())
    ends = [(rig.joint_index(point.joint), point.offset) for point in rig.points if any(point.offset)]
    ends = [(joint, offset) for joint, offset in ends if joint in leaves]
    owners = np.array([joint for joint, _ in ends], np.int64)
    tips = [transforms.apply(world_from_joint[joint], np.array([offset]))[0] for joint, offset in ends]
    return (
        np.concatenate([origins[parents[children]], origins[owners]]),
        np.concatenate([origins[children], np.array(tips).reshape(-1, 3)]),
        np.concatenate([parents[children], owners]),
    )


def _laid_along(directions: Floats, lengths: Floats, thick: Floats) -> Floats:
    """Matrices (n, 3, 3) that lay the unit bone along each direction."""
    helper = np.eye(3)[np.argmin(np.abs(directions), axis=-1)]
    x = np.cross(helper, directions)
    x /= np.linalg.norm(x, axis=-1, keepdims=True)
    z = np.cross(x, directions)
    return np.stack([x * thick[:, None], directions * lengths[:, None], z * thick[:, None]], axis=-1)

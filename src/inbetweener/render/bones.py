"""A skeleton to look at: a tapered bone from each joint to its children, and a ball on every joint."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.render import colour, shapes
from inbetweener.render.batch import Batch, joined
from inbetweener.rig import ROOT, Rig


def skeleton(rig: Rig, world_from_joint: Floats, scale: float) -> Batch:
    """The joints (J, 3, 4) of one pose; `scale` is about the height of the character in metres."""
    origins = world_from_joint[..., 3]
    if not len(origins):
        return joined([])
    tips = np.array([j for j, joint in enumerate(rig.joints) if joint.parent != ROOT], np.int64)
    starts = origins[[rig.joints[j].parent for j in tips]]
    spans = origins[tips] - starts
    lengths = np.linalg.norm(spans, axis=-1)
    drawn = lengths > 1e-3 * scale
    spans, lengths, starts = spans[drawn], lengths[drawn], starts[drawn]
    thick = np.clip(0.11 * lengths, 0.004 * scale, 0.02 * scale)
    bones = shapes.copies(shapes.bone(), _upright(spans / lengths[:, None], lengths, thick), starts)
    # A ball as thick as the bones that meet in it.
    size = np.full(len(origins), 0.006 * scale)
    for tip, width in zip(tips[drawn], thick, strict=True):
        parent = rig.joints[tip].parent
        size[tip] = max(size[tip], 0.55 * width)
        size[parent] = max(size[parent], 0.75 * width)
    balls = shapes.copies(shapes.ball(), size[:, None, None] * np.eye(3), origins)
    return joined(
        [
            Batch.painted(*bones, colour.linear(colour.BONE)),
            Batch.painted(*balls, colour.linear(colour.JOINT)),
        ]
    )


def _upright(directions: Floats, lengths: Floats, thick: Floats) -> Floats:
    """Matrices (n, 3, 3) that lay the unit bone along each direction."""
    helper = np.eye(3)[np.argmin(np.abs(directions), axis=-1)]
    x = np.cross(helper, directions)
    x /= np.linalg.norm(x, axis=-1, keepdims=True)
    z = np.cross(x, directions)
    return np.stack([x * thick[:, None], directions * lengths[:, None], z * thick[:, None]], axis=-1)

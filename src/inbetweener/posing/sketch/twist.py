"""Twists: bones turned about themselves, from where their chain starts up to a place on its last bone."""

import math
from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from inbetweener.maths import quaternions
from inbetweener.posing.sketch.bones import Bones, joints_called
from inbetweener.posing.sketch.path import require_chain
from inbetweener.posing.sketch.sketch import LARGEST_TURN, NothingToSketch, Sketch, folded
from inbetweener.posing.sketch.weave import Woven
from inbetweener.rig import Rig


def twist(
    rig: Rig,
    channels: npt.ArrayLike,
    bones: Collection[str],
    angle: float,
    place: float = 1.0,
    *,
    onto: str | None = None,
) -> Sketch:
    """A chain of bones twisted by `angle` radians, any number of turns, right-handed from its start to its end.

    The twist grows evenly along the chain up to `place`, 0 to 1 on the last bone; what comes after it goes along.
    """
    chosen = joints_called(rig, bones)
    if not chosen:
        raise NothingToSketch("no bones are chosen; choose those that shall be twisted")
    if not (math.isfinite(angle) and 0.0 < place <= 1.0):
        raise NothingToSketch(f"a twist by {angle:g} rad up to {place:g} of a bone is none; places go from 0 to 1")
    present = Bones.of(rig, np.asarray(channels, np.float64))
    require_chain(rig, chosen)
    reaches = dict.fromkeys(chosen, 1.0) | {chosen[-1]: place}
    rough = present.samples({joint: present.steps(joint) for joint in chosen})
    lengths = {joint: rough.lengths[joint] * reaches[joint] for joint in chosen}
    if not sum(lengths.values()) > 0.0:
        raise NothingToSketch("bones without length have no axis to be twisted about")
    angles = {joint: angle * length / sum(lengths.values()) for joint, length in lengths.items()}
    samples = present.samples({joint: _steps(present, joint, angles[joint] / reaches[joint]) for joint in chosen})
    frames = samples.frames.copy()
    for joint, rows in samples.rows.items():
        end = rig.bones.ends[joint]
        if end.any():
            grown = angles[joint] * np.minimum(samples.places[rows] / reaches[joint], 1.0)
            turns = quaternions.to_matrix(quaternions.from_axis_angle(end / np.linalg.norm(end), grown))
            frames[rows, :, :3] = frames[rows, :, :3] @ turns
    return folded(present, Woven({}, samples, frames, present.world), onto)


def _steps(bones: Bones, joint: int, angle: float) -> int:
    """Steps for a bone that would turn so far from end to end; multiples of those it has, to meet every one of them."""
    steps = bones.steps(joint)
    return steps * max(1, math.ceil(abs(angle) / (steps * LARGEST_TURN)))

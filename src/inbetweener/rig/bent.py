"""Kinematics of bent bones: joints and points go where the bends of the bones above them take them."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.maths import dual_quaternions, quaternions, transforms
from inbetweener.rig.bend import along_bone, total_screws
from inbetweener.rig.joint import ROOT, Place

if TYPE_CHECKING:
    from inbetweener.rig.rig import Rig


def screws(rig: "Rig", channels: Floats, joints: Collection[str] | None = None) -> dict[str, Floats]:
    """By bent joint: the steps (T, S, 6) of its bone, in its rest frame, for channel values (T, C); of some only."""
    values = {bend.channel: channels[:, rig.channel_index(bend.channel)] for bend in rig.bends}
    return total_screws(rig.bends, values, joints)


def steps_passed(place: float, steps: int) -> int:
    """How many of a bone's steps lie before a place 0 to 1 along it: joints hang between steps, never within one."""
    return round(place * steps)


def shapes(steps: Mapping[str, Floats]) -> dict[str, Floats]:
    """By bent joint: what its bone's steps (T, S, 6) do (T, S + 1, 3, 4) after 0, 1, … S of them, in its rest frame."""
    if not steps:
        return {}
    # All bones at once: a batch of many small products costs little more than one of them.
    most, frames = max(each.shape[1] for each in steps.values()), len(next(iter(steps.values())))
    padded = np.zeros((len(steps), frames, most, 6))
    for row, each in zip(padded, steps.values(), strict=True):
        row[:, : each.shape[1]] = each
    moves = dual_quaternions.to_matrix(dual_quaternions.exponential(padded))
    grown = np.empty((len(steps), frames, most + 1, 3, 4))
    grown[:, :, 0] = np.eye(3, 4)
    for i in range(most):
        grown[:, :, i + 1] = transforms.product(grown[:, :, i], moves[:, :, i])
    return {name: row[:, : each.shape[1] + 1] for (name, each), row in zip(steps.items(), grown, strict=True)}


def world(rig: "Rig", channels: Floats, straight: Floats, joints: Collection[str] | None = None) -> Floats:
    """Joint transforms (T, J, 3, 4) with bends, from those without: W = W_parent · X · (W_parent⁻¹ · W) as keyed.

    With `joints`, only of those, which must come with all above them; others stay as they are without bends.
    """
    bends = shapes(screws(rig, channels, joints))
    result = straight.copy()
    moved = {rig.joint_index(name) for name in bends}
    for joint, each in enumerate(rig.joints):
        if each.parent == ROOT or each.parent not in moved or (joints is not None and each.name not in joints):
            continue
        moved.add(joint)
        local = transforms.product(transforms.inverse(straight[:, each.parent]), straight[:, joint])
        parent = result[:, each.parent]
        if (bend := bends.get(rig.joints[each.parent].name)) is not None:
            passed = steps_passed(float(rig.bones.attachments[joint]), bend.shape[1] - 1)
            parent = transforms.product(parent, bend[:, passed])
        result[:, joint] = transforms.product(parent, local)
    return result


def states(rig: "Rig", channels: Floats, place: Place) -> tuple[Floats, Floats]:
    """Positions (T, 3) and orientations (T, 3, 3) of a place on the body, for channel values (T, C)."""
    above = joints_above(rig, place)
    joints = world(rig, channels, rig.skeleton.world(rig.dof_map.dofs(channels)), above)
    bends = screws(rig, channels, {point.joint for point, _ in place.parts})
    position, turn = np.zeros((len(channels), 3)), np.zeros((len(channels), 3, 3))
    for number, (point, weight) in enumerate(place.parts):
        joint, offset = rig.joint_index(point.joint), np.asarray(point.offset, np.float64)
        frame = joints[:, joint]
        if (steps := bends.get(point.joint)) is not None:
            bend = along_bone(steps, rig.bones.along(joint, offset))
            frame = transforms.product(frame, dual_quaternions.to_matrix(bend))
        position += weight * (frame[..., :3] @ offset + frame[..., 3])
        if number == 0:
            turn = quaternions.to_matrix(transforms.decompose(frame)[1])
    return position, turn


def channels_bending(rig: "Rig", place: Place) -> set[str]:
    """The channels of all bends that move a place: those of its own bones and of the bones above."""
    above = joints_above(rig, place)
    bending = set()
    for bend in rig.bends:
        driven = {drive.joint for drive in rig.channel(bend.channel).drives}
        if not above.isdisjoint({*bend.screws, *driven}):
            bending.add(bend.channel)
    return bending


def joints_above(rig: "Rig", place: Place) -> set[str]:
    """The joints that carry a place, and all above them."""
    above: set[str] = set()
    for point, _ in place.parts:
        index = rig.joint_index(point.joint)
        while index != ROOT:
            above.add(rig.joints[index].name)
            index = rig.joints[index].parent
    return above

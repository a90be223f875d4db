"""What bends do to bones in many poses: joints and points go where the bends of the bones above them take them."""

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen, read_only
from inbetweener.maths import dual_quaternions, transforms
from inbetweener.maths.dual_quaternions import carried, exponential_by
from inbetweener.rig.bend import resampled, total_screws
from inbetweener.rig.joint import ROOT, Place, Point
from inbetweener.rig.skeleton import STRAIGHT

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


class Bent:
    """The bones of a rig in T poses (T, C), or only those of some joints.

    A bend between a joint and its children is nothing but another rest transform of the children at that moment: a
    *carrier*. It moves with the channels that dial bends in, along a screw.
    """

    def __init__(self, rig: "Rig", channels: Floats, joints: Collection[str] | None = None) -> None:
        self._rig, self._poses = rig, len(channels)
        self._steps = screws(rig, channels, joints) if rig.bends else {}
        self._shapes = shapes(self._steps)

    @cached_property
    def carriers(self) -> Floats:
        """(T, J, 3, 4) what stands between each joint and its parent, in the parent's frame; STRAIGHT if nothing."""
        if not self._shapes:
            return STRAIGHT
        result = np.tile(np.eye(3, 4), (self._poses, len(self._rig.joints), 1, 1))
        for joint, name, passed in self._hanging():
            result[:, joint] = self._shapes[name][:, passed]
        return read_only(result)

    @cached_property
    def dials(self) -> Ints:
        """(B,) the channels that dial in any of the bends."""
        used = {bend.channel for bend in self._rig.bends if not self._shapes.keys().isdisjoint(bend.screws)}
        return frozen(sorted(map(self._rig.channel_index, used)), np.int64)

    @cached_property
    def twists(self) -> Floats:
        """(T, B, J, 6) along which screws the carriers move with each dial, in the parent's frame."""
        if not self._shapes:
            return frozen(np.zeros((1, 0, 0, 6)))
        result = np.zeros((self._poses, len(self.dials), len(self._rig.joints), 6))
        for joint, name, passed in self._hanging():
            result[:, :, joint] = self._twist(name, passed)
        return read_only(result)

    def at(self, point: Point) -> Floats | None:
        """What the point's own bone does there (T, 3, 4), in its joint's frame; None where it is not bent."""
        return self._after(point.joint, self._along(point)) if point.joint in self._steps else None

    def twist_at(self, point: Point) -> Floats:
        """(T, B, 6) how that moves with each dial."""
        return self._twist(point.joint, self._along(point))

    def _along(self, point: Point) -> float:
        """After how many steps of its bone the point sits."""
        place = self._rig.bones.along(self._rig.joint_index(point.joint), np.asarray(point.offset))
        return place * self._steps[point.joint].shape[1]

    def _hanging(self) -> list[tuple[int, str, int]]:
        """The joints that hang on bent bones, on whose, and after how many of its steps."""
        rig, found = self._rig, []
        for joint, each in enumerate(rig.joints):
            steps = self._steps.get(rig.joints[each.parent].name) if each.parent != ROOT else None
            if steps is not None:
                passed = steps_passed(float(rig.bones.attachments[joint]), steps.shape[1])
                found.append((joint, rig.joints[each.parent].name, passed))
        return found

    def _after(self, name: str, along: float) -> Floats:
        """The transform (T, 3, 4) after so many steps of a bone, and a share of the next."""
        whole, share = _parted(along)
        shape = self._shapes[name][:, whole]
        if share == 0.0:
            return shape
        step = dual_quaternions.to_matrix(dual_quaternions.exponential(share * self._steps[name][:, whole]))
        return transforms.product(shape, step)

    def _twist(self, name: str, along: float) -> Floats:
        """(T, B, 6) how that moves with each dial: every step's screw, seen from the start of the bone."""
        steps, (whole, share) = self._steps[name], _parted(along)
        used = whole + (share > 0.0)
        shares = np.append(np.ones(whole), [share] * (used - whole))[:, None]
        result = np.zeros((self._poses, len(self.dials), 6))
        for bend in self._rig.bends:
            if name in bend.screws:
                dial = int(np.searchsorted(self.dials, self._rig.channel_index(bend.channel)))
                by = resampled(bend.screws[name], steps.shape[1])[:used]
                own = exponential_by(shares * steps[:, :used], shares * by)
                result[:, dial] += carried(self._shapes[name][:, :used], own).sum(axis=1)
        return result


def _parted(along: float) -> tuple[int, float]:
    """Whole steps, and the share of the next one."""
    whole = int(np.floor(along + 1e-12))
    return whole, max(0.0, along - whole) if along - whole > 1e-12 else 0.0


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

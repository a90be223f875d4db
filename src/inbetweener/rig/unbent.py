"""A bent rig in one pose as a rig without bends: what the bends do there is put into the joints' rest transforms.

Solvers know nothing of bends and leave their channels alone. In that pose the other rig has the same joints in the same
places, and moves alike when other channels change; in other poses bends are dialled in differently,
and it is only near.
"""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.maths import dual_quaternions, quaternions
from inbetweener.maths.transforms import Transform
from inbetweener.rig import bent
from inbetweener.rig.bend import along_bone
from inbetweener.rig.joint import ROOT, BlendedPoint, Place, Point
from inbetweener.rig.rig import Rig


@dataclass(frozen=True, slots=True, eq=False)
class Unbent:
    """The rig without bends, and by bent joint the steps (1, S, 6) that its bone has in the pose."""

    bent: Rig
    rig: Rig
    screws: dict[str, Floats]

    @classmethod
    def at(cls, rig: Rig, channels: Floats) -> Self:
        """The rig as it is in a pose (C,).

        Rigs with handles keep their rest transforms, as handles measure their limbs there: such a rig is only near.
        """
        if not rig.bends:
            return cls(rig, rig, {})
        screws = bent.screws(rig, channels[None])
        if rig.handles:
            return cls(rig, rig.keyed, screws)
        joints = list(rig.joints)
        for index, joint in enumerate(rig.joints):
            steps = screws.get(rig.joints[joint.parent].name) if joint.parent != ROOT else None
            if steps is not None:
                passed = bent.steps_passed(float(rig.bones.attachments[index]), steps.shape[1])
                bend = along_bone(steps, passed / steps.shape[1])[0]
                joints[index] = replace(joint, rest=_after(bend, joint.rest))
        return cls(rig, replace(rig, joints=tuple(joints), bends=()), screws)

    def place(self, place: Place) -> Place:
        """The same spot of the body in the rig without bends."""
        if not any(point.joint in self.screws for point, _ in place.parts):
            return place
        parts = tuple((self._point(point), weight) for point, weight in place.parts)
        return parts[0][0] if isinstance(place, Point) else BlendedPoint(parts, place.name)

    def turn(self, place: Place) -> Floats:
        """How far a place is turned (3, 3) by the bend of its own bone, in its joint's frame."""
        return quaternions.to_matrix(self._bend(place.parts[0][0])[:4])

    def _point(self, point: Point) -> Point:
        x, y, z = map(float, dual_quaternions.apply(self._bend(point), point.offset))
        return replace(point, offset=(x, y, z))

    def _bend(self, point: Point) -> Floats:
        steps = self.screws.get(point.joint)
        if steps is None:
            return np.array(dual_quaternions.IDENTITY)
        bones = self.bent.bones
        bend: Floats = along_bone(steps, bones.along(self.bent.joint_index(point.joint), np.asarray(point.offset)))[0]
        return bend


def _after(bend: Floats, rest: Transform) -> Transform:
    """A rest transform, moved by a bend."""
    tx, ty, tz = map(float, dual_quaternions.apply(bend, rest.translation))
    w, x, y, z = map(float, quaternions.product(bend[:4], np.asarray(rest.rotation)))
    return Transform((tx, ty, tz), (w, x, y, z), rest.scale)

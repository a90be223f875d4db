"""A rig in many poses: where every place on it is, and how that moves with each channel. All else asks here."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, read_only
from inbetweener.rig import kernels
from inbetweener.rig.bent import Bent
from inbetweener.rig.joint import Place, Point

if TYPE_CHECKING:
    from inbetweener.rig.part import RigPart
    from inbetweener.rig.rig import Rig


Rows = Ints | slice
EVERY: slice = slice(None)


class Posed:
    """Joints and places for channel values (T, C): handles turn their chains, then bends shape the bones.

    With a `part` of the rig, for less: only its joints can be asked for. With `wanted` (C,), derivatives by what
    handles make of other channels may be nought. `dofs` (T, 9J) are given where they are known already.
    """

    def __init__(
        self,
        rig: "Rig",
        channels: Floats,
        *,
        part: "RigPart | None" = None,
        wanted: Bools | None = None,
        dofs: Floats | None = None,
    ) -> None:
        self.rig, self._part, self._wanted = rig, part, wanted
        self._whole = channels
        source = rig if part is None else part
        self._skeleton, self._map = source.skeleton, source.dof_map
        self._channels = channels if part is None else np.ascontiguousarray(channels[:, part.channels])
        if dofs is not None:
            self.__dict__["dofs"] = dofs

    @cached_property
    def bent(self) -> Bent:
        """What bends do to the bones."""
        joints = None if self._part is None else {self.rig.joints[j].name for j in self._part.joints}
        return Bent(self.rig, self._whole, joints)

    @cached_property
    def dofs(self) -> Floats:
        """Degrees of freedom (T, 9J)."""
        return self._solved[0] if "_solved" in self.__dict__ else self._map.dofs(self._channels)

    @cached_property
    def _solved(self) -> tuple[Floats, Floats]:
        return self._map.solved(self._channels, self._wanted)

    @cached_property
    def carriers(self) -> Floats:
        """What bends put between each joint and its parent (T, J, 3, 4); STRAIGHT where nothing is bent."""
        carriers = self.bent.carriers
        return np.ascontiguousarray(carriers[:, self._part.joints]) if self._part and carriers.size else carriers

    @cached_property
    def forward(self) -> tuple[Floats, Floats]:
        """world_from_joint (T, J, 3, 4), and orientations (T, J, 3, 3) without any scale."""
        return self._skeleton.forward(self.dofs, self.carriers)

    @cached_property
    def world_from_joint(self) -> Floats:
        """Joint transforms (T, J, 3, 4)."""
        known = "forward" in self.__dict__
        return self.forward[0] if known else self._skeleton.world(self.dofs, self.carriers)

    def states(self, place: Place, rows: Rows = EVERY, *, base: str | None = None) -> tuple[Floats, Floats]:
        """Positions (T, 3) and orientations (T, 3, 3) of a place on the body, in all poses or some.

        In the world or, with a `base`, in that joint's frame.
        """
        world, orientation = self.forward
        position = np.zeros((len(world[rows]), 3))
        for point, weight in place.parts:
            position += weight * self._position(world, point, rows)
        first = place.parts[0][0]
        turn, bend = orientation[rows, self._joint(first.joint)], self.bent.at(first)
        turn = turn if bend is None else turn @ bend[rows, :, :3]
        if base is None:
            return position, turn
        frame, seen = world[rows, self._joint(base)], orientation[rows, self._joint(base)]
        own = np.einsum("trc,tc->tr", np.linalg.pinv(frame[..., :3]), position - frame[..., 3])
        return own, np.swapaxes(seen, -1, -2) @ turn

    def positions(self, points: Sequence[Point]) -> Floats:
        """Positions (T, P, 3) of points."""
        world = self.world_from_joint
        found = [self._position(world, point, slice(None)) for point in points]
        return np.stack(found, axis=1) if found else np.zeros((len(world), 0, 3))

    def _position(self, world: Floats, point: Point, rows: Rows) -> Floats:
        carried = world[rows, self._joint(point.joint)]
        bend = self.bent.at(point)
        if bend is None and not point.shapes:
            if not any(point.offset):
                return carried[..., 3]
            return carried[..., :3] @ np.asarray(point.offset) + carried[..., 3]
        offset = self._offset(point, rows)
        if bend is not None:
            offset = np.einsum("trc,tc->tr", bend[rows, :, :3], offset) + bend[rows, :, 3]
        return np.einsum("trc,tc->tr", carried[..., :3], offset) + carried[..., 3]

    def _offset(self, point: Point, rows: Rows) -> Floats:
        """Where shapes take a point (T, 3) in its joint's frame, before any bend."""
        offset = np.tile(np.asarray(point.offset, np.float64), (len(self._whole[rows]), 1))
        for channel, move in point.shapes:
            offset += self._whole[rows, self.rig.channel_index(channel), None] * np.asarray(move)
        return offset

    def jacobians(self, points: Sequence[Point], rows: Rows = EVERY) -> Floats:
        """(T, P, 6, C): how position (rows 0–2) and orientation (rows 3–5) of points move with each channel."""
        joints, offsets = self.rig.point_arrays(points)
        bends = [self.bent.at(point) for point in points]
        differ = any(bend is not None or point.shapes for bend, point in zip(bends, points, strict=True))
        at = np.tile(offsets, (len(self.forward[0][rows]) if differ else 1, 1, 1))
        for number, (bend, point) in enumerate(zip(bends, points, strict=True)):
            if bend is not None or point.shapes:
                at[:, number] = self._offset(point, rows)
            if bend is not None:
                at[:, number] = np.einsum("trc,tc->tr", bend[rows, :, :3], at[:, number]) + bend[rows, :, 3]
        result = self._carried(joints, at, rows)
        world, orientation = (array[rows] for array in self.forward)
        for number, bend in enumerate(bends):
            for channel, move in points[number].shapes:
                linear = world[:, joints[number], :, :3]
                linear = linear if bend is None else linear @ bend[rows, :, :3]
                result[:, number, :3, self.rig.channel_index(channel)] += linear @ np.asarray(move)
            if bend is not None:
                # The point moves on its own bone too.
                twist = self.bent.twist_at(points[number])[rows]
                turns, moves = twist[..., :3], twist[..., 3:] + np.cross(twist[..., :3], at[:, None, number])
                linear, turned = world[:, joints[number], :, :3], orientation[:, joints[number]]
                result[:, number, :3, self.bent.dials] += np.einsum("trc,tbc->btr", linear, moves)
                result[:, number, 3:, self.bent.dials] += np.einsum("trc,tbc->btr", turned, turns)
        return result

    def jacobian(self, place: Place, rows: Rows = EVERY, *, base: str | None = None) -> Floats:
        """(T, 6, C): how position and orientation of a place move with each channel, in all poses or some.

        As `states` has them: with a `base`, both bodies move.
        """
        points, weights = zip(*place.parts, strict=True)
        found = self.jacobians(points, rows)
        result = found[:, 0]
        if len(points) > 1:
            result = result.copy()
            result[:, :3] = np.einsum("p,tprc->trc", np.array(weights), found[:, :, :3])
        if base is None:
            return result
        joint = np.array([self._joint(base)], np.int64)
        own, _ = self.states(place, rows, base=base)
        away = result - self._carried(joint, np.ascontiguousarray(own[:, None]), rows)[:, 0]
        world, orientation = (array[rows, joint[0]] for array in self.forward)
        moved = np.linalg.pinv(world[..., :3]) @ away[:, :3]
        return np.concatenate([moved, np.swapaxes(orientation, -1, -2) @ away[:, 3:]], axis=1)

    def towards(self, poses: Ints, joints: Ints, places: Floats, ways: Floats) -> Floats:
        """(K, C): how far each channel moves places (K, 3) in the world along ways (K, 3), each in a pose of its own.

        They are carried by joints (K,), or by nothing where these are below nought.
        """
        world, orientation = self.forward
        frames = world[poses, np.maximum(joints, 0)]
        away = (places - frames[..., 3])[..., None]
        offsets = np.ascontiguousarray(np.linalg.solve(frames[..., :3], away)[..., 0], np.float64)
        result = np.zeros((len(poses), self._map.channel_count))
        kernels.add_towards(
            self._skeleton.tree, kernels.Wires(self._map.starts, self._map.channels),
            kernels.Bending(read_only(self.carriers), self.bent.dials, read_only(self.bent.twists)),
            self.dofs, self._solved[1], world, orientation,
            np.ascontiguousarray(np.stack([poses, joints], axis=1)), offsets, np.ascontiguousarray(ways), result,
        )  # fmt: skip
        return result

    def _carried(self, joints: Ints, at: Floats, rows: Rows) -> Floats:
        """(T, P, 6, C): of points that joints carry at offsets (T or 1, P, 3) in their frames."""
        assert self._part is None, "of the whole rig"
        world, orientation, dofs = (array[rows] for array in (*self.forward, self.dofs))
        carriers, twists, weights = (
            array[rows] if len(array) > 1 else array for array in (self.carriers, self.bent.twists, self._solved[1])
        )
        result = np.empty((len(world), len(joints), 6, self._map.channel_count))
        kernels.jacobians(
            self._skeleton.tree, kernels.Wires(self._map.starts, self._map.channels),
            kernels.Bending(read_only(carriers), self.bent.dials, read_only(twists)),
            dofs, weights, world, orientation, joints, at, result,
        )  # fmt: skip
        return result

    def _joint(self, name: str) -> int:
        joint = self.rig.joint_index(name)
        return joint if self._part is None else self._part.local_joint(joint)
